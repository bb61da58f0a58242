// SPDX-License-Identifier: GPL-2.0-only
/* Making, entering and removing cgroups. Only what we made is removed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "workload.h"

#define PATIENCE_SEC 15.0 /* for processes to exit and cgroups to become empty */

/* mountinfo writes blank, tab, newline and backslash as \ooo. */
static void unescape(char *s)
{
	char *out = s;

	for (; *s; s++) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] && s[3]) {
			*out++ = (char)((s[1] - '0') * 64 + (s[2] - '0') * 8 + (s[3] - '0'));
			s += 3;
		} else {
			*out++ = *s;
		}
	}
	*out = '\0';
}

static bool has_word(const char *dir, const char *file, const char *word)
{
	char path[4200], text[512];
	char *save, *w;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	f = fopen(path, "re");
	if (!f)
		return false;
	text[0] = '\0';
	if (!fgets(text, sizeof(text), f))
		text[0] = '\0';
	fclose(f);
	for (w = strtok_r(text, " \n", &save); w; w = strtok_r(NULL, " \n", &save))
		if (!strcmp(w, word))
			return true;
	return false;
}

static int find_root(struct run *run)
{
	char *line = NULL;
	size_t cap = 0;
	FILE *f;

	if (run->cfg->root) {
		snprintf(run->root, sizeof(run->root), "%s", run->cfg->root);
	} else {
		f = fopen("/proc/self/mountinfo", "re");
		while (f && !run->root[0] && getline(&line, &cap, f) > 0)
			if (strstr(line, " - cgroup2 "))
				sscanf(line, "%*s %*s %*s %*s %4095s", run->root);
		if (f)
			fclose(f);
		free(line);
		unescape(run->root);
		if (!run->root[0])
			return fail(
				EXIT_SKIP,
				"no cgroup v2 is mounted: mount -t cgroup2 none /sys/fs/cgroup, "
				"or give --cgroup-root DIR");
	}
	if (!has_word(run->root, "cgroup.controllers", "memory"))
		return fail(EXIT_SKIP,
			    "%s has no memory controller (cgroup v1 may hold it, or it is not the "
			    "root of "
			    "a cgroup v2 mount): boot with cgroup_no_v1=memory, or give "
			    "--cgroup-root DIR",
			    run->root);
	return 0;
}

int cgroup__write(const char *dir, const char *file, const char *text)
{
	char path[4200];
	ssize_t len = strlen(text);
	int fd, err = 0;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, text, len) != len)
		err = -errno;
	close(fd);
	return err;
}

/* The number behind `key ` in a flat keyed file, or the whole file for key NULL; -1 = not there. */
long long cgroup__read_key(const char *dir, const char *file, const char *key)
{
	char path[4200], line[256];
	size_t len = key ? strlen(key) : 0;
	long long value = -1;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	f = fopen(path, "re");
	while (f && value < 0 && fgets(line, sizeof(line), f))
		if (!key || (!strncmp(line, key, len) && line[len] == ' '))
			value = atoll(line + len);
	if (f)
		fclose(f);
	return value;
}

int cgroup__open_procs(const char *path)
{
	char *procs;
	int fd;

	if (asprintf(&procs, "%s/cgroup.procs", path) < 0)
		return -1;
	fd = open(procs, O_WRONLY | O_CLOEXEC);
	free(procs);
	return fd;
}

/* Leaving for "home" goes to where the caller was: in the tests that is the root cgroup. */
static int open_home(struct run *run)
{
	char line[4096] = "", path[8200];
	FILE *f = fopen("/proc/self/cgroup", "re");

	run->home_fd = -1;
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "0::", 3))
			continue;
		snprintf(path, sizeof(path), "%s%s", run->root, line + 3);
		run->home_fd = cgroup__open_procs(path);
	}
	if (f)
		fclose(f);
	if (run->home_fd < 0)
		run->home_fd = cgroup__open_procs(run->root);
	if (run->home_fd < 0)
		return fail(
			EXIT_SKIP,
			"cannot write %s/cgroup.procs (%s): run as root, with cgroup v2 mounted "
			"read-write",
			run->root, strerror(errno));
	return 0;
}

static int make_dir(const char *path, bool *made)
{
	*made = !mkdir(path, 0755);
	if (*made || errno == EEXIST)
		return 0;
	return fail(EXIT_RUN, "cannot make the cgroup %s (%s): %s", path, strerror(errno),
		    errno == EAGAIN
			    ? "a parent's cgroup.max.descendants or .depth is reached, raise it"
		    : errno == EINVAL ? "the kernel refuses this name, choose another"
		    : errno == ENOMEM || errno == ENOSPC
			    ? "too many memory cgroups, wait for dying ones to go"
			    : "run as root, with cgroup v2 mounted read-write");
}

/* Children of dir get the memory controller. */
static int enable_memory(const char *dir)
{
	int err;

	if (has_word(dir, "cgroup.subtree_control", "memory"))
		return 0;
	err = cgroup__write(dir, "cgroup.subtree_control", "+memory");
	if (!err)
		return 0;
	return fail(EXIT_RUN, "cannot enable the memory controller below %s (%s): %s", dir,
		    strerror(-err),
		    err == -EBUSY    ? "processes are in that cgroup, choose another --parent"
		    : err == -ENOENT ? "it is not enabled above, choose another --parent"
				     : "run as root");
}

/* Makes path/component..., each with +memory in the level above; path grows in place. */
static int descend(struct run *run, char *path, size_t size, const char *components)
{
	char copy[4096];
	char *save, *c;
	int err;

	snprintf(copy, sizeof(copy), "%s", components);
	for (c = strtok_r(copy, "/", &save); c; c = strtok_r(NULL, "/", &save)) {
		size_t len = strlen(path);
		bool made;

		if (!strcmp(c, ".") || !strcmp(c, ".."))
			return fail(EXIT_USAGE, "`%s` in a cgroup path: give the path without it",
				    c);
		err = enable_memory(path);
		if (err)
			return err;
		if ((size_t)snprintf(path + len, size - len, "/%s", c) >= size - len ||
		    run->nr_made == MAX_MADE)
			return fail(
				EXIT_USAGE,
				"the cgroup path %s is too long or too deep: choose a shorter one",
				path);
		err = make_dir(path, &made);
		if (err)
			return err;
		if (made)
			run->made[run->nr_made++] = strdup(path);
	}
	return enable_memory(path);
}

static int make_leaf(struct run *run, const char *dir, const char *name)
{
	struct cgroup *cg = &run->cg[run->nr_cg];
	int err;

	if (asprintf(&cg->path, "%s/%s", dir, name) < 0)
		return fail(EXIT_RUN, "no memory for a path");
	err = make_dir(cg->path, &cg->made);
	if (err)
		return err;
	run->nr_cg++;
	cg->procs_fd = cgroup__open_procs(cg->path);
	if (cg->procs_fd < 0)
		return fail(EXIT_RUN,
			    "cannot open cgroup.procs of %s (%s): for `Too many open files` raise "
			    "ulimit -n",
			    cg->path, strerror(errno));
	return 0;
}

/* Signals are blocked meanwhile; thousands of cgroups take long. */
static bool stop_pending(void)
{
	sigset_t set;

	return !sigpending(&set) && (sigismember(&set, SIGINT) || sigismember(&set, SIGTERM) ||
				     sigismember(&set, SIGHUP));
}

static int make_leaves(struct run *run, char *dir, size_t size)
{
	const struct config *cfg = run->cfg;
	char number[32];
	int err = 0;

	run->cg = calloc(cfg->cgroups, sizeof(*run->cg));
	if (!run->cg)
		return fail(EXIT_RUN, "no memory for %lld cgroups", cfg->cgroups);
	for (int d = 1; d < cfg->depth && !err; d++) {
		snprintf(number, sizeof(number), "d%d", d);
		err = descend(run, dir, size, number);
	}
	for (int i = 0; i < cfg->cgroups && !err && !stop_pending(); i++) {
		snprintf(number, sizeof(number), "c%d", i);
		err = make_leaf(run, dir, i < cfg->nr_names ? cfg->names[i] : number);
	}
	return err;
}

int cgroups__create(struct run *run)
{
	char path[4096];
	int err, before;

	err = find_root(run);
	if (!err)
		err = open_home(run);
	if (err)
		return err;
	snprintf(path, sizeof(path), "%s", run->root);
	before = run->nr_made;
	err = descend(run, path, sizeof(path), run->parent_name);
	snprintf(run->parent, sizeof(run->parent), "%s", path);
	if (err)
		return err;
	if (run->mode->bit == M_CHURN) {
		/* the clean-up removes everything below: that must be ours alone */
		if (run->nr_made == before)
			return fail(EXIT_USAGE, "%s exists: churn needs a --parent that does not",
				    path);
		return 0;
	}
	return make_leaves(run, path, sizeof(path));
}

int cgroup__join(int procs_fd, const char *path)
{
	if (write(procs_fd, "0", 1) == 1)
		return 0;
	return fail(EXIT_RUN,
		    "cannot move into the cgroup %s (%s): it must not have controllers enabled for "
		    "children, "
		    "and its limits must allow it",
		    path, strerror(errno));
}

int cgroups__enter(const struct run *run, int index)
{
	return cgroup__join(run->cg[index].procs_fd, run->cg[index].path);
}

int cgroups__leave(const struct run *run)
{
	return cgroup__join(run->home_fd, "that the workload was started in");
}

static void kill_members(const char *path)
{
	char procs[4200];
	FILE *f;
	int pid;

	if (!cgroup__write(path, "cgroup.kill", "1"))
		return;
	snprintf(procs, sizeof(procs), "%s/cgroup.procs", path);
	f = fopen(procs, "re");
	while (f && fscanf(f, "%d", &pid) == 1)
		kill(pid, SIGKILL);
	if (f)
		fclose(f);
}

/* Bottom up, with everything below; processes in it are killed. */
int cgroup__remove(const char *path, double patience)
{
	uint64_t deadline = now_ns() + (uint64_t)(patience * 1e9);
	struct dirent *entry;
	char *child;
	DIR *dir;

	while (rmdir(path)) {
		if (errno == ENOENT)
			return 0;
		if (errno != EBUSY || now_ns() > deadline)
			return fail(EXIT_RUN,
				    "cannot remove the cgroup %s (%s): end the processes in it and "
				    "rmdir it",
				    path, strerror(errno));
		kill_members(path);
		dir = opendir(path);
		while (dir && (entry = readdir(dir))) {
			if (entry->d_type != DT_DIR || !strcmp(entry->d_name, ".") ||
			    !strcmp(entry->d_name, ".."))
				continue;
			if (asprintf(&child, "%s/%s", path, entry->d_name) < 0)
				continue;
			cgroup__remove(child, 0.1);
			free(child);
		}
		if (dir)
			closedir(dir);
		nap(0.01);
	}
	return 0;
}

int cgroups__destroy(struct run *run)
{
	int err = 0;

	for (int i = 0; i < run->nr_cg; i++) {
		close(run->cg[i].procs_fd);
		if (run->cg[i].made && !run->cfg->keep)
			err |= cgroup__remove(run->cg[i].path, PATIENCE_SEC);
	}
	for (int i = run->nr_made - 1; i >= 0; i--)
		if (!run->cfg->keep)
			err |= cgroup__remove(run->made[i], PATIENCE_SEC);
	return err ? EXIT_RUN : 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Mode exec: a command inside a cgroup. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "workload.h"

int run_exec(struct run *run)
{
	char **command = run->cfg->command;
	int err;

	err = cgroups__enter(run, 0);
	if (err)
		return err;
	execvp(command[0], command);
	err = errno == ENOENT ? 127 : 126;
	return fail(err, "cannot run %s (%s): check the name and PATH", command[0],
		    strerror(errno));
}

// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "verb/status.h"

const char *status__failure(const struct options *o, const struct window *w, char *buf, size_t n)
{
	const struct command *cmd = &w->command;

	if (!cmd->argv || w->end_reason != END_COMMAND || !(cmd->exit || cmd->signal) ||
	    cmd->ignore_failure || o->ignore_failure)
		return NULL;
	snprintf(buf, n, "%s failed (%s %d); --ignore-failure accepts it", cmd->argv[0],
		 cmd->signal ? "signal" : "exit", cmd->signal ? cmd->signal : cmd->exit);
	return buf;
}

int status__of(const struct options *o, const struct model *m)
{
	char text[256];
	const char *failure = status__failure(o, m->window, text, sizeof(text));

	if (m->quality.grade == GRADE_IDLE && !o->quiet)
		error__say("nothing was charged to a memory cgroup in %.3g s; the ratios are empty",
			   m->seconds);
	if (m->quality.grade == GRADE_UNTRUSTED) {
		if (!o->quiet)
			error__say("not to be trusted: %s",
				   m->quality.nreasons ? m->quality.reasons[0] : "see quality");
		return STATUS_UNTRUSTED;
	}
	if (failure) {
		if (!o->quiet)
			error__say("%s", failure);
		return STATUS_UNTRUSTED;
	}
	return STATUS_OK;
}

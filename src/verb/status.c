// SPDX-License-Identifier: GPL-2.0-only
#include "verb/status.h"

int status__of(const struct options *o, const struct model *m)
{
	const struct command *cmd = &m->window->command;
	bool failed = cmd->argv && m->window->end_reason == END_COMMAND &&
		      (cmd->exit || cmd->signal) && !cmd->ignore_failure && !o->ignore_failure;

	if (m->quality.grade == GRADE_IDLE && !o->quiet)
		error__say("nothing was charged to a memory cgroup in %.3g s; the ratios are empty",
			   m->seconds);
	if (m->quality.grade == GRADE_UNTRUSTED) {
		if (!o->quiet)
			error__say("not to be trusted: %s",
				   m->quality.nreasons ? m->quality.reasons[0] : "see quality");
		return STATUS_UNTRUSTED;
	}
	if (failed) {
		if (!o->quiet)
			error__say("%s failed (%s %d); --ignore-failure accepts it", cmd->argv[0],
				   cmd->signal ? "signal" : "exit",
				   cmd->signal ? cmd->signal : cmd->exit);
		return STATUS_UNTRUSTED;
	}
	return STATUS_OK;
}

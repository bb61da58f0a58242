// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <unistd.h>

#include "main.h"
#include "view/view.h"

int verb_doctor(const struct options *o, struct error *e)
{
	struct view_opts v = {.width = VIEW_WIDTH, .rows = -1, .ascii = o->ascii};
	struct step steps[STEP_NR];
	struct check checks[STEP_NR];
	struct diagnosis d = {.checks = checks, .version = MEMCGTOP_VERSION};
	struct sample *s = NULL;
	int i, err, measurable;
	bool failed = false;
	struct live *l;

	l = live__examine(&o->live, steps, &s);
	if (!l)
		return error__set(e, STATUS_CANNOT, "out of memory");
	for (i = 0; i < STEP_NR; i++) {
		if (!steps[i].taken)
			continue;
		checks[d.nchecks++] = (struct check){
			.name = steps[i].name,
			.state = steps[i].ok ? CHECK_OK : CHECK_FAIL,
			.text = steps[i].text,
		};
		failed |= !steps[i].ok;
	}
	/* no hook was tried, or not all of them: nothing is known of any */
	if (failed)
		s->nprobes = 0;
	d.sample = s;
	live__close(l);
	measurable = view__doctor_measurable(&d);
	err = o->format == FORMAT_JSON ? view__doctor_json(stdout, &d, o->ascii)
				       : view__doctor_text(stdout, &d, &v);
	sample__free(s);
	if (measurable < 0)
		return error__set(e, STATUS_CANNOT, "out of memory");
	if (err)
		return error__set(e, STATUS_UNTRUSTED,
				  "the result was not written to standard output: %s",
				  error__text(err));
	return measurable ? STATUS_OK : STATUS_CANNOT;
}

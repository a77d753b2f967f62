/* SPDX-License-Identifier: MIT */
/* doctor-parts.c - are the libraries there that belong to the command? */
#include <errno.h>
#include <stdlib.h>

#include "doctor.h"
#include "place.h"

void doctor_parts(struct findings *all)
{
	char *path;
	int err = place_of_module("libtacho-malloc.so", &path);

	if (!err) {
		found(all, "modules", VERDICT_OK, "%s", path);
		free(path);
	} else if (err == -EINVAL) {
		found_mend(found(all, "modules", VERDICT_WARN,
				 "record --malloc cannot work from a "
				 "directory with a space or a colon in its name"),
			   "make install prefix=DIR");
	} else {
		found_mend(found(all, "modules", VERDICT_WARN,
				 "libtacho-malloc.so is missing; "
				 "record --malloc cannot work"),
			   "make install");
	}
	err = place_of_library("libtacho.so", &path);
	if (err) {
		found_mend(found(all, "library", VERDICT_WARN,
				 "libtacho.so is missing; programs "
				 "with events in them cannot start"),
			   "make install");
		return;
	}
	found(all, "library", VERDICT_OK, "%s", path);
	free(path);
}

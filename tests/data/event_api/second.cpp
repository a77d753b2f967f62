/* SPDX-License-Identifier: MIT */
/* second.cpp - another unit of the program of cases.cpp. */
#include "shared.h"

void hit_from_second();

void hit_from_second()
{
	hit_inline(2);
	hit_template(2);
	hit_template(2.0);
	shelf{2}.count();
}

/* SPDX-License-Identifier: MIT */
/* Sites in class templates, their constructors and destructors, and generic lambdas. -DPROBES: with the
 * probes; -DPROBES=0: nothing else. */
#ifdef PROBES
#define TRACEPOINT_DEFINE
#define TRACEPOINT_CREATE_PROBES
#endif
#include "templates.h"

#if !defined(PROBES) || PROBES
template <class T> struct timed {
	std::string id;
	explicit timed(std::string name) : id(std::move(name))
	{
		tracepoint(store, enter, id, verb::read, sizeof(T));
	}
	~timed() { tracepoint(store, leave, id + "!", verb::write, 0); }
	template <class F> void run(F call)
	{
		auto all = std::make_shared<numbers>(numbers{ 5, 6 });

		call(sizeof(T));
		tracepoint(store, done, (pair<int, std::string>{ 7, id }), all);
	}
};

int main()
{
	timed<uint64_t> one("one");
	timed<char> two{ "two" };

	one.run([](auto size) { tracepoint(store, enter, "lambda", verb::write, size); });
	two.run([](auto size) { tracepoint(store, enter, "other", verb::write, size); });
	tracepoint(store, passing, one.id);
}
#endif

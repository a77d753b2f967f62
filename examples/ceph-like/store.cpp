/* SPDX-License-Identifier: MIT */
/*
 * store.cpp [OPERATIONS] - a store of objects. A third of its operations is traced: the middle one,
 * when tracing is switched on.
 */
#define TRACEPOINT_DEFINE
#define TRACEPOINT_PROBE_DYNAMIC_LINKAGE
#include "store_tp.h"

#include "provider.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace {

class store {
public:
	int write(const std::string &object, uint64_t offset, const std::string &data)
	{
		tracepoint(store, write_enter, object.c_str(), offset, data.data(), data.size());
		std::string &content = objects_[object];
		content.resize(std::max<size_t>(content.size(), offset + data.size()));
		content.replace(offset, data.size(), data);
		return leave(object, 0, true);
	}

	int read(const std::string &object, uint64_t offset, size_t length, std::string *ret_data)
	{
		tracepoint(store, read_enter, object.c_str(), offset, length);
		const auto found = objects_.find(object);
		if (found == objects_.end())
			return leave(object, -ENOENT, false);
		if (offset < found->second.size())
			*ret_data = found->second.substr(offset, length);
		return leave(object, 0, false);
	}

private:
	static int leave(const std::string &object, int result, bool is_write)
	{
		if (is_write)
			tracepoint(store, write_exit, object.c_str(), result);
		else
			tracepoint(store, read_exit, object.c_str(), result);
		return result;
	}

	std::map<std::string, std::string> objects_;
};

void operate(store &objects, int number)
{
	const std::string name = "object" + std::to_string(number % 5);
	std::string data;

	objects.write(name, 0, "content of " + name);
	objects.read(name, 0, 64, &data);
	objects.read("nowhere", 0, 64, &data);
}

} // namespace

int main(int argc, char **argv)
{
	const int operations = argc > 1 ? std::atoi(argv[1]) : 30;
	trace_provider tracing("./libstore_tp.so");
	store objects;

	for (int i = 0; i < operations; i++) {
		if (i == operations / 3 && !tracing.set(true))
			std::fprintf(stderr, "no tracing: %s\n", dlerror());
		if (i == 2 * operations / 3)
			tracing.set(false);
		operate(objects, i);
	}
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * provider.h - tracing that the configuration switches on and off while the program runs: the probes
 * are in a library that is loaded, and unloaded again.
 */
#ifndef STORE_PROVIDER_H
#define STORE_PROVIDER_H

#include <dlfcn.h>

#include <string>

class trace_provider {
public:
	explicit trace_provider(std::string library) : library_(std::move(library)) {}
	~trace_provider() { set(false); }
	trace_provider(const trace_provider &) = delete;
	trace_provider &operator=(const trace_provider &) = delete;

	/* Return: whether it is on. Without the library the program goes on. */
	bool set(bool on)
	{
		if (on && !handle_)
			handle_ = dlopen(library_.c_str(), RTLD_NOW);
		if (!on && handle_) {
			dlclose(handle_);
			handle_ = nullptr;
		}
		return handle_ != nullptr;
	}

private:
	std::string library_;
	void *handle_ = nullptr;
};

#endif

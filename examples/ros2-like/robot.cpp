/* SPDX-License-Identifier: MIT */
/*
 * robot.cpp [SWEEPS] - a lidar publishes sweeps on a topic, a planner and a logger subscribe to it; an
 * executor calls them in a thread of its own.
 */
#include "trace.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

struct sweep {
	std::int64_t stamp_ns;
	std::vector<float> ranges;
};

using message = std::shared_ptr<const sweep>;
using handler = std::function<void(const sweep &)>;

/* Calls what is due, in order, until it is told to stop and nothing is left. */
class executor {
public:
	executor() : thread_([this] { run(); }) {}
	~executor()
	{
		{
			std::lock_guard<std::mutex> lock(mutex_);
			is_stopped_ = true;
		}
		wake_.notify_one();
		thread_.join();
	}

	void post(std::function<void()> work)
	{
		{
			std::lock_guard<std::mutex> lock(mutex_);
			due_.push_back(std::move(work));
		}
		wake_.notify_one();
	}

private:
	void run()
	{
		std::unique_lock<std::mutex> lock(mutex_);
		for (;;) {
			wake_.wait(lock, [this] { return is_stopped_ || !due_.empty(); });
			if (due_.empty())
				return;
			auto work = std::move(due_.front());
			due_.pop_front();
			lock.unlock();
			work();
			lock.lock();
		}
	}

	std::mutex mutex_;
	std::condition_variable wake_;
	std::deque<std::function<void()>> due_;
	bool is_stopped_ = false;
	std::thread thread_;
};

class topic {
public:
	topic(std::string name, executor &calls) : name_(std::move(name)), executor_(calls) {}

	void subscribe(const void *node, handler call)
	{
		handlers_.push_back(std::make_unique<handler>(std::move(call)));
		ROBOT_TRACE(subscription_init, handlers_.back().get(), node, name_.c_str());
	}

	void publish(const void *publisher, message m)
	{
		ROBOT_TRACE(publish, publisher, m.get(), m->stamp_ns);
		for (const auto &call : handlers_)
			executor_.post([&call, m] {
				ROBOT_TRACE(callback_start, call.get(), true);
				(*call)(*m);
				ROBOT_TRACE(callback_end, call.get());
			});
	}

	const std::string &name() const { return name_; }

private:
	std::string name_;
	executor &executor_;
	std::vector<std::unique_ptr<handler>> handlers_;
};

class node {
public:
	explicit node(const std::string &name) { ROBOT_TRACE(node_init, this, name.c_str(), "/"); }
};

class lidar : node {
public:
	explicit lidar(topic &sweeps) : node("lidar"), topic_(sweeps)
	{
		ROBOT_TRACE(publisher_init, &topic_, this, topic_.name().c_str());
	}

	void scan(int number)
	{
		auto s = std::make_shared<sweep>();
		s->stamp_ns = number * 100000000LL;
		s->ranges.assign(64, 1.5f + static_cast<float>(number % 7));
		topic_.publish(&topic_, s);
	}

private:
	topic &topic_;
};

class planner : node {
public:
	explicit planner(topic &sweeps) : node("planner")
	{
		sweeps.subscribe(this, [this](const sweep &s) {
			for (float range : s.ranges)
				nearest_ = range < nearest_ ? range : nearest_;
		});
	}

private:
	float nearest_ = 1e9f;
};

class logger : node {
public:
	explicit logger(topic &sweeps) : node("logger")
	{
		sweeps.subscribe(this, [this](const sweep &s) { bytes_ += s.ranges.size() * sizeof(float); });
	}

private:
	std::size_t bytes_ = 0;
};

} // namespace

int main(int argc, char **argv)
{
	const int sweeps = argc > 1 ? std::atoi(argv[1]) : 10;
	auto calls = std::make_unique<executor>();
	topic scan("/scan", *calls);
	lidar front(scan);
	planner plan(scan);
	logger log(scan);

	for (int i = 0; i < sweeps; i++)
		front.scan(i);
	/* Calls all that is due while those whom it calls are there. */
	calls.reset();
	return 0;
}

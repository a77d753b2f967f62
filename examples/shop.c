/* SPDX-License-Identifier: MIT */
/*
 * shop.c - a small server with events, and the load for it in one program.
 *
 *	cc shop.c -o shop $(pkg-config --cflags --libs tacho) -pthread
 *	tacho record -e 'shop:*' -- ./shop -s 2
 *
 *	-s SECONDS   end after so long (0, the default: when SIGINT or SIGTERM comes)
 *	-n REQUESTS  end after so many requests (0, the default: any number)
 *
 *      customers (threads) --> queue --> clerks (threads) --> answer to the customer
 *
 * Its events: what a request went through as nested spans, an order with its fields, the length of
 * the queue as a bare number, a warning when an item runs out, a message when it comes in again.
 */
#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <tacho/event.h>

#define CUSTOMERS 8
#define CLERKS    3
#define ITEMS     5
#define STOCK     1000

struct request {
	uint64_t id;
	const char *customer;
	unsigned int item;
	unsigned int count;
	double total; /* the answer; 0 if the item ran out */
	sem_t done;
	struct request *next;
};

struct shop {
	pthread_mutex_t lock;
	pthread_cond_t not_empty;
	struct request *first, **last;
	uint32_t queued;
	uint32_t customers_left;
	uint64_t requests, requests_max; /* 0: any number */
	uint32_t stock[ITEMS];
	bool is_closed;
};

static const char *const item_names[ITEMS] = { "apples", "bread", "cheese", "dates", "eggs" };
static const double prices[ITEMS] = { 0.35, 2.20, 4.75, 3.10, 0.25 };
static const char *const customer_names[CUSTOMERS] = {
	"Ada", "Blaise", "Charles", "Donald", "Edsger", "Frances", "Grace", "Haskell",
};

/* Return: false if the shop is closed. */
static bool enqueue(struct shop *shop, struct request *request)
{
	bool is_open;

	pthread_mutex_lock(&shop->lock);
	if (shop->requests_max && shop->requests == shop->requests_max)
		shop->is_closed = true;
	is_open = !shop->is_closed;
	if (is_open) {
		request->id = ++shop->requests;
		request->next = NULL;
		*shop->last = request;
		shop->last = &request->next;
		shop->queued++;
		tacho_event(shop, queue, "length", shop->queued);
		pthread_cond_signal(&shop->not_empty);
	}
	pthread_mutex_unlock(&shop->lock);
	return is_open;
}

/* Return: NULL when the last customer has left. */
static struct request *dequeue(struct shop *shop)
{
	struct request *request;

	pthread_mutex_lock(&shop->lock);
	while (!shop->first && shop->customers_left)
		pthread_cond_wait(&shop->not_empty, &shop->lock);
	request = shop->first;
	if (request) {
		shop->first = request->next;
		if (!shop->first)
			shop->last = &shop->first;
		shop->queued--;
		tacho_event(shop, queue, "length", shop->queued);
	}
	pthread_mutex_unlock(&shop->lock);
	return request;
}

static bool take_from_stock(struct shop *shop, unsigned int item, unsigned int count)
{
	bool is_enough;

	TACHO_SPAN(shop, stock, "item", item_names[item]);
	pthread_mutex_lock(&shop->lock);
	is_enough = shop->stock[item] >= count;
	if (is_enough) {
		shop->stock[item] -= count;
	} else {
		tacho_event_level(TACHO_LEVEL_WARNING, shop, sold_out, "item", item_names[item],
				  "left", shop->stock[item], "wanted", count);
		shop->stock[item] = STOCK;
		tacho_log(TACHO_LEVEL_INFO, "%d %s came in", STOCK, item_names[item]);
	}
	pthread_mutex_unlock(&shop->lock);
	return is_enough;
}

/* Seal the order, which takes some time. */
static uint32_t seal(const struct request *request)
{
	uint32_t sum = (uint32_t)request->id;

	TACHO_SPAN(shop, seal, "id", request->id);
	for (int i = 0; i < 2000; i++)
		sum = (sum ^ (sum >> 7)) * 0x01000193u + (uint32_t)i;
	return sum;
}

static void serve(struct shop *shop, struct request *request)
{
	TACHO_SPAN(shop, request, "id", request->id, "customer", request->customer);
	if (!take_from_stock(shop, request->item, request->count))
		return;
	request->total = prices[request->item] * request->count;
	tacho_event(shop, order_placed, "id", request->id, "customer", request->customer, "item",
		    item_names[request->item], "count", request->count, "total", request->total,
		    "seal", tacho_hex(seal(request)));
}

static void *clerk(void *data)
{
	struct shop *shop = data;
	struct request *request;

	while ((request = dequeue(shop))) {
		serve(shop, request);
		sem_post(&request->done);
	}
	return NULL;
}

struct customer {
	struct shop *shop;
	pthread_t thread;
	unsigned int number;
};

static void leave(struct shop *shop)
{
	bool is_last;

	pthread_mutex_lock(&shop->lock);
	is_last = !--shop->customers_left;
	pthread_cond_broadcast(&shop->not_empty);
	pthread_mutex_unlock(&shop->lock);
	if (is_last)
		kill(getpid(), SIGTERM); /* main() waits for it */
}

static void *customer(void *data)
{
	const struct customer *self = data;
	const struct timespec pause = { .tv_nsec = 200000 };
	struct request request = { .customer = customer_names[self->number] };
	unsigned int seed = self->number;

	sem_init(&request.done, 0, 0);
	for (;;) {
		request.item = (unsigned int)rand_r(&seed) % ITEMS;
		request.count = 1 + (unsigned int)rand_r(&seed) % 9;
		request.total = 0;
		if (!enqueue(self->shop, &request))
			break;
		while (sem_wait(&request.done))
			;
		nanosleep(&pause, NULL);
	}
	sem_destroy(&request.done);
	leave(self->shop);
	return NULL;
}

/* Wait for a signal, or the end of the time. */
static void wait_for_end(long seconds, const sigset_t *signals)
{
	const struct timespec limit = { .tv_sec = seconds };

	if (seconds)
		sigtimedwait(signals, NULL, &limit);
	else
		sigwaitinfo(signals, NULL);
}

static void run(struct shop *shop, long seconds, const sigset_t *signals)
{
	struct customer customers[CUSTOMERS];
	pthread_t clerks[CLERKS];

	for (unsigned int i = 0; i < CLERKS; i++)
		pthread_create(&clerks[i], NULL, clerk, shop);
	for (unsigned int i = 0; i < CUSTOMERS; i++) {
		customers[i] = (struct customer){ .shop = shop, .number = i };
		pthread_create(&customers[i].thread, NULL, customer, &customers[i]);
	}
	wait_for_end(seconds, signals);
	pthread_mutex_lock(&shop->lock);
	shop->is_closed = true;
	pthread_mutex_unlock(&shop->lock);
	for (int i = 0; i < CUSTOMERS; i++)
		pthread_join(customers[i].thread, NULL);
	for (int i = 0; i < CLERKS; i++)
		pthread_join(clerks[i], NULL);
}

int main(int argc, char **argv)
{
	struct shop shop = {
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.not_empty = PTHREAD_COND_INITIALIZER,
		.last = &shop.first,
		.customers_left = CUSTOMERS,
	};
	long seconds = 0;
	sigset_t signals;
	int option;

	while ((option = getopt(argc, argv, "s:n:")) != -1) {
		if (option == 's')
			seconds = strtol(optarg, NULL, 10);
		else if (option == 'n')
			shop.requests_max = strtoull(optarg, NULL, 10);
		else
			return 2;
	}
	for (int i = 0; i < ITEMS; i++)
		shop.stock[i] = STOCK;
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	run(&shop, seconds, &signals);
	printf("shop: %" PRIu64 " requests served\n", shop.requests);
	return 0;
}

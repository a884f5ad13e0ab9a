/* What the workqueue provider's arguments look like. func(args[0]->wi_func) names the function. */

typedef struct workinfo {
	uintptr_t wi_addr;
	uintptr_t wi_func;
} workinfo_t;

translator workinfo_t < struct work_struct *W > {
	wi_addr = (uintptr_t)W;
	wi_func = (uintptr_t)W->func;
};

typedef struct wqinfo {
	uintptr_t wq_addr;
	string wq_name;
} wqinfo_t;

translator wqinfo_t < struct pool_workqueue *P > {
	wq_addr = (uintptr_t)P->wq;
	wq_name = stringof(P->wq->name);
};

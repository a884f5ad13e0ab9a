struct list { char **items; int count; };
void list_add(struct list *, const char *);
int table_count(const struct list *, const char *);
void words_read(struct list *);

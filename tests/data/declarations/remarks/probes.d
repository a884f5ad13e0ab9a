provider host {
	# file: src/poll.c
	# prefix: poll
	probe poll_add(int watch, int fd, int events, void *cb, void *opaque, void *ff);
	probe poll_run(int nfds, int timeout);


        # file: src/object.c
        # prefix: object
        probe object_new(void *obj, const char *klassname);

	# file: src/socket.c
	probe socket_new(void *sock, int fd, int errfd, pid_t pid, const char *localAddr, const char *remoteAddr);
	probe context_new(void *ctxt, const char *cacert, const char *cacrl,
			  const char *cert, const char *key, int sanity, int valid, int isServer);
};

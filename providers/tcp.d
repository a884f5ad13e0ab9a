/* What the tcp provider's arguments look like. Members and states as in tcp(4DTRACE) of Solaris. */

inline int TCP_STATE_CLOSED = -6;
inline int TCP_STATE_IDLE = -5;
inline int TCP_STATE_BOUND = -4;
inline int TCP_STATE_LISTEN = -3;
inline int TCP_STATE_SYN_SENT = -2;
inline int TCP_STATE_SYN_RECEIVED = -1;
inline int TCP_STATE_ESTABLISHED = 0;
inline int TCP_STATE_CLOSE_WAIT = 1;
inline int TCP_STATE_FIN_WAIT_1 = 2;
inline int TCP_STATE_CLOSING = 3;
inline int TCP_STATE_LAST_ACK = 4;
inline int TCP_STATE_FIN_WAIT_2 = 5;
inline int TCP_STATE_TIME_WAIT = 6;

inline string tcp_state_string[int32_t state]
    = state == TCP_STATE_CLOSED ? "state-closed" : state == TCP_STATE_IDLE ? "state-idle"
    : state == TCP_STATE_BOUND ? "state-bound" : state == TCP_STATE_LISTEN ? "state-listen"
    : state == TCP_STATE_SYN_SENT ? "state-syn-sent" : state == TCP_STATE_SYN_RECEIVED ? "state-syn-received"
    : state == TCP_STATE_ESTABLISHED ? "state-established" : state == TCP_STATE_CLOSE_WAIT ? "state-close-wait"
    : state == TCP_STATE_FIN_WAIT_1 ? "state-fin-wait-1" : state == TCP_STATE_CLOSING ? "state-closing"
    : state == TCP_STATE_LAST_ACK ? "state-last-ack" : state == TCP_STATE_FIN_WAIT_2 ? "state-fin-wait-2"
    : state == TCP_STATE_TIME_WAIT ? "state-time-wait" : "<unknown>";

inline uint8_t TH_FIN = 0x01;
inline uint8_t TH_SYN = 0x02;
inline uint8_t TH_RST = 0x04;
inline uint8_t TH_PUSH = 0x08;
inline uint8_t TH_ACK = 0x10;
inline uint8_t TH_URG = 0x20;
inline uint8_t TH_ECE = 0x40;
inline uint8_t TH_CWR = 0x80;

/* The kernel's states, 1 to 12. Source: include/net/tcp_states.h; 12 is a request that waits for its last ACK. */
inline int32_t dscope_state[int k]
    = k == 1 ? TCP_STATE_ESTABLISHED : k == 2 ? TCP_STATE_SYN_SENT : k == 3 || k == 12 ? TCP_STATE_SYN_RECEIVED
    : k == 4 ? TCP_STATE_FIN_WAIT_1 : k == 5 ? TCP_STATE_FIN_WAIT_2 : k == 6 ? TCP_STATE_TIME_WAIT
    : k == 8 ? TCP_STATE_CLOSE_WAIT : k == 9 ? TCP_STATE_LAST_ACK : k == 10 ? TCP_STATE_LISTEN
    : k == 11 ? TCP_STATE_CLOSING : TCP_STATE_CLOSED;

/* Sockets by the addresses (of IPv6 the last word) and ports of their connection, as they are on the wire, ours first: a
   received packet does not know its socket yet. */
uintptr_t dscope_socket[uint64_t, uint32_t];
this uintptr_t dscope_owner;	/* of the packet at hand */
inline uint32_t dscope_source[uintptr_t ip] = dscope_version[ip] == 4
    ? ((struct iphdr *)ip)->saddr : ((struct ipv6hdr *)ip)->saddr.in6_u.u6_addr32[3];
inline uint32_t dscope_target[uintptr_t ip] = dscope_version[ip] == 4
    ? ((struct iphdr *)ip)->daddr : ((struct ipv6hdr *)ip)->daddr.in6_u.u6_addr32[3];
inline uint64_t dscope_ends[uint32_t ours, uint32_t theirs] = (uint64_t)ours << 32 | theirs;
inline uint64_t dscope_ends_of[uintptr_t s] = ((struct sock *)s)->__sk_common.skc_family == AF_INET
    ? dscope_ends[((struct sock *)s)->__sk_common.skc_rcv_saddr, ((struct sock *)s)->__sk_common.skc_daddr]
    : dscope_ends[((struct sock *)s)->__sk_common.skc_v6_rcv_saddr.in6_u.u6_addr32[3],
        ((struct sock *)s)->__sk_common.skc_v6_daddr.in6_u.u6_addr32[3]];
inline uint32_t dscope_ports_of[uintptr_t s]
    = (uint32_t)((struct sock *)s)->__sk_common.skc_dport << 16 | ((struct inet_sock *)s)->inet_sport;

this int dscope_becomes;	/* the kernel's state that a socket is about to have; 0: the one it has */

typedef struct tcpsinfo {
	uintptr_t tcps_addr;
	int tcps_local;
	int tcps_active;
	uint16_t tcps_lport;
	uint16_t tcps_rport;
	string tcps_laddr;
	string tcps_raddr;
	int32_t tcps_state;
	uint32_t tcps_iss;
	uint32_t tcps_irs;
	uint32_t tcps_suna;
	uint32_t tcps_smax;
	uint32_t tcps_snxt;
	uint32_t tcps_rack;
	uint32_t tcps_rnxt;
	uint32_t tcps_swnd;
	int32_t tcps_snd_ws;
	uint32_t tcps_swl1;
	uint32_t tcps_swl2;
	uint32_t tcps_rup;
	uint32_t tcps_rwnd;
	int32_t tcps_rcv_ws;
	uint32_t tcps_cwnd;
	uint32_t tcps_cwnd_ssthresh;
	uint32_t tcps_sack_fack;
	uint32_t tcps_sack_snxt;
	uint32_t tcps_rto;
	uint32_t tcps_mss;
	int tcps_retransmit;
	uint32_t tcps_rtt;
	uint32_t tcps_rtt_sd;
} tcpsinfo_t;

inline struct sock *dscope_sock[uintptr_t s] = (struct sock *)s;
/* Requests and sockets in TIME_WAIT have only the common part. */
inline int dscope_is_full[uintptr_t s]
    = s != 0 && dscope_sock[s]->__sk_common.skc_state != 6 && dscope_sock[s]->__sk_common.skc_state != 12;
inline struct tcp_sock *dscope_tcp[uintptr_t s] = (struct tcp_sock *)s;

/* The socket of a connection that was accepted is a copy of the one that listens, with its backlog; one that connects has
   none. What was acknowledged counts the SYN of the latter only. */

translator tcpsinfo_t < struct sock *S > {
	tcps_addr = (uintptr_t)S;
	tcps_local = S == NULL ? 0
	    : S->__sk_common.skc_family == AF_INET ? S->__sk_common.skc_daddr == S->__sk_common.skc_rcv_saddr
	    : S->__sk_common.skc_v6_daddr.in6_u.u6_addr32[3] == S->__sk_common.skc_v6_rcv_saddr.in6_u.u6_addr32[3];
	tcps_active = dscope_is_full[(uintptr_t)S] && S->sk_max_ack_backlog == 0;
	tcps_lport = S == NULL ? 0 : S->__sk_common.skc_num != 0 || !dscope_is_full[(uintptr_t)S] ? S->__sk_common.skc_num
	    : ntohs(dscope_tcp[(uintptr_t)S]->inet_conn.icsk_inet.inet_sport);
	tcps_rport = S == NULL ? 0 : ntohs(S->__sk_common.skc_dport);
	tcps_laddr = S == NULL ? "<null>" : dscope_laddr[(uintptr_t)S];
	tcps_raddr = S == NULL ? "<null>" : dscope_raddr[(uintptr_t)S];
	tcps_state = S == NULL ? TCP_STATE_CLOSED : dscope_state[this->dscope_becomes ? this->dscope_becomes : S->__sk_common.skc_state];
	tcps_iss = dscope_is_full[(uintptr_t)S]
	    ? (uint32_t)(dscope_tcp[(uintptr_t)S]->snd_una - dscope_tcp[(uintptr_t)S]->bytes_acked
	        - (S->sk_max_ack_backlog != 0)) : 0;
	tcps_irs = dscope_is_full[(uintptr_t)S] && dscope_tcp[(uintptr_t)S]->rcv_nxt
	    ? (uint32_t)(dscope_tcp[(uintptr_t)S]->rcv_nxt - dscope_tcp[(uintptr_t)S]->bytes_received - 1) : 0;
	tcps_rto = dscope_is_full[(uintptr_t)S] ? dscope_tcp[(uintptr_t)S]->inet_conn.icsk_rto : 0;
	tcps_suna = dscope_is_full[(uintptr_t)S] ? dscope_tcp[(uintptr_t)S]->snd_una : 0;
	tcps_smax = dscope_is_full[(uintptr_t)S] ? dscope_tcp[(uintptr_t)S]->snd_nxt : 0;
	tcps_snxt = dscope_is_full[(uintptr_t)S] ? dscope_tcp[(uintptr_t)S]->snd_nxt : 0;
	tcps_rack = dscope_is_full[(uintptr_t)S] ? dscope_tcp[(uintptr_t)S]->rcv_wup : 0;
	tcps_rnxt = dscope_is_full[(uintptr_t)S] ? dscope_tcp[(uintptr_t)S]->rcv_nxt : 0;
	tcps_swnd = dscope_is_full[(uintptr_t)S] ? dscope_tcp[(uintptr_t)S]->snd_wnd : 0;
	tcps_snd_ws = dscope_is_full[(uintptr_t)S] ? dscope_tcp[(uintptr_t)S]->rx_opt.snd_wscale : 0;
	tcps_swl1 = dscope_is_full[(uintptr_t)S] ? dscope_tcp[(uintptr_t)S]->snd_wl1 : 0;
	tcps_swl2 = dscope_is_full[(uintptr_t)S] ? dscope_tcp[(uintptr_t)S]->snd_una : 0;
	tcps_rup = dscope_is_full[(uintptr_t)S] ? dscope_tcp[(uintptr_t)S]->urg_seq : 0;
	tcps_rwnd = dscope_is_full[(uintptr_t)S] ? dscope_tcp[(uintptr_t)S]->rcv_wnd : 0;
	tcps_rcv_ws = dscope_is_full[(uintptr_t)S] ? dscope_tcp[(uintptr_t)S]->rx_opt.rcv_wscale : 0;
	tcps_cwnd = dscope_is_full[(uintptr_t)S]
	    ? dscope_tcp[(uintptr_t)S]->snd_cwnd * dscope_tcp[(uintptr_t)S]->mss_cache : 0;
	tcps_cwnd_ssthresh = dscope_is_full[(uintptr_t)S]
	    ? dscope_tcp[(uintptr_t)S]->snd_ssthresh * dscope_tcp[(uintptr_t)S]->mss_cache : 0;
	tcps_sack_fack = dscope_is_full[(uintptr_t)S] ? dscope_tcp[(uintptr_t)S]->snd_una : 0;
	tcps_sack_snxt = dscope_is_full[(uintptr_t)S] ? dscope_tcp[(uintptr_t)S]->snd_nxt : 0;
	tcps_mss = dscope_is_full[(uintptr_t)S] ? dscope_tcp[(uintptr_t)S]->mss_cache : 0;
	tcps_retransmit = dscope_is_full[(uintptr_t)S] ? dscope_tcp[(uintptr_t)S]->inet_conn.icsk_retransmits != 0 : 0;
	tcps_rtt = dscope_is_full[(uintptr_t)S] ? dscope_tcp[(uintptr_t)S]->srtt_us >> 3 : 0;
	tcps_rtt_sd = dscope_is_full[(uintptr_t)S] ? dscope_tcp[(uintptr_t)S]->mdev_us >> 2 : 0;
};

typedef struct tcplsinfo {
	int32_t tcps_state;
} tcplsinfo_t;

/* The state that it had, of state-change. */
translator tcplsinfo_t < int K > {
	tcps_state = dscope_state[K];
};

typedef struct tcpinfo {
	uint16_t tcp_sport;
	uint16_t tcp_dport;
	uint32_t tcp_seq;
	uint32_t tcp_ack;
	uint8_t tcp_offset;
	uint8_t tcp_flags;
	uint16_t tcp_window;
	uint16_t tcp_checksum;
	uint16_t tcp_urgent;
	struct tcphdr *tcp_hdr;
} tcpinfo_t;

translator tcpinfo_t < struct tcphdr *T > {
	tcp_sport = ntohs(T->source);
	tcp_dport = ntohs(T->dest);
	tcp_seq = ntohl(T->seq);
	tcp_ack = ntohl(T->ack_seq);
	tcp_offset = (uint8_t)(T->doff << 2);
	tcp_flags = *((uint8_t *)T + 13);
	tcp_window = ntohs(T->window);
	tcp_checksum = ntohs(T->check);
	tcp_urgent = ntohs(T->urg_ptr);
	tcp_hdr = T;
};

/* connect-established, connect-refused and accept-established tell of the packet of the other end that brought them about,
   as the socket knows it: the kernel's event has no packet. A socket that is refused has given its port back by then, and has not
   taken the acknowledgement of its SYN. */
translator ipinfo_t < struct tcp_sock *S > {
	ip_ver = dscope_is_four[(uintptr_t)S, (uintptr_t)&dscope_sock[(uintptr_t)S]->__sk_common.skc_v6_daddr] ? 4 : 6;
	ip_plength = 0;
	ip_saddr = dscope_raddr[(uintptr_t)S];
	ip_daddr = dscope_laddr[(uintptr_t)S];
};
translator tcpinfo_t < struct tcp_sock *S > {
	tcp_sport = ntohs(dscope_sock[(uintptr_t)S]->__sk_common.skc_dport);
	tcp_dport = dscope_sock[(uintptr_t)S]->__sk_common.skc_num ? dscope_sock[(uintptr_t)S]->__sk_common.skc_num
	    : ntohs(S->inet_conn.icsk_inet.inet_sport);
	tcp_seq = S->rcv_nxt;
	tcp_ack = this->dscope_becomes == 7 ? S->snd_nxt : S->snd_una;
	tcp_offset = 0;
	tcp_flags = this->dscope_becomes == 7 ? (uint8_t)(TH_RST | TH_ACK) : TH_ACK;
	tcp_window = (uint16_t)S->snd_wnd;
	tcp_checksum = 0;
	tcp_urgent = 0;
	tcp_hdr = NULL;
};

/* What the arguments of ip, and those that tcp and udp have of it, look like. Members as in ip(4DTRACE) of Solaris. */

this uintptr_t dscope_packet;	/* struct sk_buff * */
this uintptr_t dscope_ip;	/* its IP header */
this uintptr_t dscope_transport;	/* its TCP or UDP header */

inline uint8_t dscope_version[uintptr_t ip] = ((struct iphdr *)ip)->version;

inline int IPPROTO_IP = 0;
inline int IPPROTO_ICMP = 1;
inline int IPPROTO_IGMP = 2;
inline int IPPROTO_IPIP = 4;
inline int IPPROTO_TCP = 6;
inline int IPPROTO_EGP = 8;
inline int IPPROTO_PUP = 12;
inline int IPPROTO_UDP = 17;
inline int IPPROTO_IDP = 22;
inline int IPPROTO_TP = 29;
inline int IPPROTO_DCCP = 33;
inline int IPPROTO_IPV6 = 41;
inline int IPPROTO_ROUTING = 43;
inline int IPPROTO_FRAGMENT = 44;
inline int IPPROTO_RSVP = 46;
inline int IPPROTO_GRE = 47;
inline int IPPROTO_ESP = 50;
inline int IPPROTO_AH = 51;
inline int IPPROTO_ICMPV6 = 58;
inline int IPPROTO_NONE = 59;
inline int IPPROTO_DSTOPTS = 60;
inline int IPPROTO_OSPF = 89;
inline int IPPROTO_MTP = 92;
inline int IPPROTO_ENCAP = 98;
inline int IPPROTO_PIM = 103;
inline int IPPROTO_COMP = 108;
inline int IPPROTO_SCTP = 132;
inline int IPPROTO_UDPLITE = 136;
inline int IPPROTO_RAW = 255;

inline string dscope_protocol[uint8_t p]
    = p == 6 ? "TCP" : p == 17 ? "UDP" : p == 1 ? "ICMP" : p == 58 ? "ICMPV6" : p == 2 ? "IGMP" : p == 4 ? "IP"
    : p == 8 ? "EGP" : p == 33 ? "DCCP" : p == 41 ? "IPV6" : p == 43 ? "ROUTE" : p == 44 ? "FRAG" : p == 46 ? "RSVP"
    : p == 47 ? "GRE" : p == 50 ? "ESP" : p == 51 ? "AH" : p == 59 ? "NONE" : p == 60 ? "DSTOPTS" : p == 89 ? "OSPF"
    : p == 103 ? "PIM" : p == 108 ? "COMP" : p == 132 ? "SCTP" : p == 136 ? "UDPLITE" : lltostr((int64_t)p);

typedef struct pktinfo {
	uintptr_t pkt_addr;
} pktinfo_t;

translator pktinfo_t < struct sk_buff *P > {
	pkt_addr = (uintptr_t)P;
};

typedef uint64_t conn_id_t;
typedef id_t zoneid_t;
typedef uint64_t netstackid_t;

typedef struct csinfo {
	uintptr_t cs_addr;
	uint64_t cs_cid;
	pid_t cs_pid;
	zoneid_t cs_zoneid;
} csinfo_t;

/* The kernel does not note which process a socket belongs to. */
translator csinfo_t < struct sock *S > {
	cs_addr = (uintptr_t)S;
	cs_cid = S == NULL ? 0 : (uint64_t)S->__sk_common.skc_cookie.counter;
	cs_pid = -1;
	cs_zoneid = 0;
};

typedef struct ipinfo {
	uint8_t ip_ver;
	uint32_t ip_plength;
	string ip_saddr;
	string ip_daddr;
} ipinfo_t;

translator ipinfo_t < struct iphdr *I > {
	ip_ver = I->version;
	ip_plength = I->version == 4 ? ntohs(I->tot_len) - (I->ihl << 2) : ntohs(((struct ipv6hdr *)I)->payload_len);
	ip_saddr = inet_ntop(I->version == 4 ? AF_INET : AF_INET6,
	    I->version == 4 ? (void *)&I->saddr : (void *)&((struct ipv6hdr *)I)->saddr);
	ip_daddr = inet_ntop(I->version == 4 ? AF_INET : AF_INET6,
	    I->version == 4 ? (void *)&I->daddr : (void *)&((struct ipv6hdr *)I)->daddr);
};

typedef struct ifinfo {
	string if_name;
	int8_t if_local;
	netstackid_t if_ipstack;
	uintptr_t if_addr;
} ifinfo_t;

/* IFF_LOOPBACK; an IP stack of its own is a network namespace. */
translator ifinfo_t < struct net_device *N > {
	if_name = stringof(N->name);
	if_local = (N->flags & 8) != 0;
	if_ipstack = N->nd_net.net->ns.inum;
	if_addr = (uintptr_t)N;
};

typedef struct iphdr ipha_t;
typedef struct ipv6hdr ip6_t;
typedef struct in6_addr in6_addr_t;

typedef struct ipv4info {
	uint8_t ipv4_ver;
	uint8_t ipv4_ihl;
	uint8_t ipv4_tos;
	uint16_t ipv4_length;
	uint16_t ipv4_ident;
	uint8_t ipv4_flags;
	uint16_t ipv4_offset;
	uint8_t ipv4_ttl;
	uint8_t ipv4_protocol;
	string ipv4_protostr;
	uint16_t ipv4_checksum;
	ipaddr_t ipv4_src;
	ipaddr_t ipv4_dst;
	string ipv4_saddr;
	string ipv4_daddr;
	ipha_t *ipv4_hdr;
} ipv4info_t;

/* NULL for a packet of IPv6. The flags are the upper bits of a four-bit number, as on Solaris: DF is 4, MF 2. */
translator ipv4info_t < struct iphdr *I > {
	ipv4_ver = I == NULL ? 0 : I->version;
	ipv4_ihl = I == NULL ? 0 : (uint8_t)(I->ihl << 2);
	ipv4_tos = I == NULL ? 0 : I->tos;
	ipv4_length = I == NULL ? 0 : ntohs(I->tot_len);
	ipv4_ident = I == NULL ? 0 : ntohs(I->id);
	ipv4_flags = I == NULL ? 0 : (uint8_t)((ntohs(I->frag_off) & 0xe000) >> 12);
	ipv4_offset = I == NULL ? 0 : (uint16_t)(ntohs(I->frag_off) & 0x1fff);
	ipv4_ttl = I == NULL ? 0 : I->ttl;
	ipv4_protocol = I == NULL ? 0 : I->protocol;
	ipv4_protostr = I == NULL ? "<null>" : dscope_protocol[I->protocol];
	ipv4_checksum = I == NULL ? 0 : ntohs(I->check);
	ipv4_src = I == NULL ? 0 : ntohl(I->saddr);
	ipv4_dst = I == NULL ? 0 : ntohl(I->daddr);
	ipv4_saddr = I == NULL ? "<null>" : inet_ntop(AF_INET, (void *)&I->saddr);
	ipv4_daddr = I == NULL ? "<null>" : inet_ntop(AF_INET, (void *)&I->daddr);
	ipv4_hdr = I;
};

typedef struct ipv6info {
	uint8_t ipv6_ver;
	uint8_t ipv6_tclass;
	uint32_t ipv6_flow;
	uint16_t ipv6_plen;
	uint8_t ipv6_nexthdr;
	string ipv6_nextstr;
	uint8_t ipv6_hlim;
	in6_addr_t *ipv6_src;
	in6_addr_t *ipv6_dst;
	string ipv6_saddr;
	string ipv6_daddr;
	ip6_t *ipv6_hdr;
} ipv6info_t;

inline uint32_t dscope_first[uintptr_t ip] = ntohl(*(uint32_t *)ip);

/* NULL for a packet of IPv4. */
translator ipv6info_t < struct ipv6hdr *I > {
	ipv6_ver = I == NULL ? 0 : I->version;
	ipv6_tclass = I == NULL ? 0 : (uint8_t)(dscope_first[(uintptr_t)I] >> 20);
	ipv6_flow = I == NULL ? 0 : dscope_first[(uintptr_t)I] & 0xfffff;
	ipv6_plen = I == NULL ? 0 : ntohs(I->payload_len);
	ipv6_nexthdr = I == NULL ? 0 : I->nexthdr;
	ipv6_nextstr = I == NULL ? "<null>" : dscope_protocol[I->nexthdr];
	ipv6_hlim = I == NULL ? 0 : I->hop_limit;
	ipv6_src = I == NULL ? NULL : &I->saddr;
	ipv6_dst = I == NULL ? NULL : &I->daddr;
	ipv6_saddr = I == NULL ? "<null>" : inet_ntop(AF_INET6, (void *)&I->saddr);
	ipv6_daddr = I == NULL ? "<null>" : inet_ntop(AF_INET6, (void *)&I->daddr);
	ipv6_hdr = I;
};

/* Whether an address of a socket is of IPv4: also in a socket of IPv6 that speaks with such (::ffff:192.0.2.1), as its packets
   have it. */
inline int dscope_is_four[uintptr_t s, uintptr_t six] = ((struct sock *)s)->__sk_common.skc_family == AF_INET
    || (((struct in6_addr *)six)->in6_u.u6_addr32[2] == htonl(0xffff) && ((struct in6_addr *)six)->in6_u.u6_addr32[1] == 0
        && ((struct in6_addr *)six)->in6_u.u6_addr32[0] == 0);
inline string dscope_address[uintptr_t s, uintptr_t four, uintptr_t six] = inet_ntop(dscope_is_four[s, six] ? AF_INET : AF_INET6,
    ((struct sock *)s)->__sk_common.skc_family == AF_INET ? (void *)four
    : dscope_is_four[s, six] ? (void *)(six + 12) : (void *)six);

/* The addresses of a socket's two ends. */
inline string dscope_laddr[uintptr_t s] = dscope_address[s, (uintptr_t)&((struct sock *)s)->__sk_common.skc_rcv_saddr,
    (uintptr_t)&((struct sock *)s)->__sk_common.skc_v6_rcv_saddr];
inline string dscope_raddr[uintptr_t s] = dscope_address[s, (uintptr_t)&((struct sock *)s)->__sk_common.skc_daddr,
    (uintptr_t)&((struct sock *)s)->__sk_common.skc_v6_daddr];

#include "engine/sema/analyser.h"
namespace dscope::sema {
/// pcap(skb, type): what of the packet lies in one piece behind skb->data, up to option pcapsize; how much that is; how long
/// the packet is; how it begins (PCAP_IP, PCAP_ETHER ...); where in it the network's header is.
bool Analyser::pcapAction(const ast::Expr& call, Statement& into)
{
    const auto packet = rvalue(*call.kids[0]);
    const auto type = rvalue(*call.kids[1]);
    if (!packet || !type) return false;
    const auto wrong = [&](int number, std::string_view wanted, const ExprPtr& given) {
        error("D_PROTO_ARG", call.at, "pcap( ) argument #", number, " is incompatible with prototype:\n\tprototype: ", wanted,
            "\n\t argument: ", types::spelled(given->type));
        return false;
    };

    if (!rules::isInteger(packet->type) && !rules::isPointer(packet->type)) return wrong(1, "void *", packet);
    if (!rules::isInteger(type->type)) return wrong(2, "int", type);
    const auto* buffer = typeFromText("struct sk_buff *", "");
    if (!buffer) {
        error("D_PROTO_ARG", call.at, "pcap( ) needs struct sk_buff, which this kernel does not describe (BTF)");
        return false;
    }

    const auto at = call.kids[0]->at;
    const Value skb{converted(packet, buffer)};
    const auto number = [&](const char* member, const char* as = "uint32_t") {
        const auto value = memberOf(skb, member, MemberOp::Arrow, at);
        return value ? converted(rvalue(value, at), named(as)) : nullptr;
    };

    const auto data = memberOf(skb, "data", MemberOp::Arrow, at);
    const auto length = number("len"), elsewhere = number("data_len");
    const auto head = number("head", "uint64_t"), begin = number("data", "uint64_t"), header = number("network_header", "uint64_t");
    if (!data || !length || !elsewhere || !head || !begin || !header) return false;
    const auto linear = arithmetic(ast::Op::Sub, length, elsewhere, at);
    const auto* bytes = m_types.arrayOf(named("unsigned char"), std::max<std::uint64_t>(m_program.options.number("pcapsize"), 1));
    record(into, *call.kids[0], make(ExprKind::Dereference, bytes, at, {converted(rvalue(data, at), m_types.pointerTo(bytes)), linear}));
    record(into, *call.kids[0], linear);
    record(into, *call.kids[0], length);
    record(into, *call.kids[1], converted(type, named("int")));
    record(into, *call.kids[0], converted(arithmetic(ast::Op::Sub, arithmetic(ast::Op::Add, head, header, at), begin, at), named("int")));
    return true;
}
} // namespace dscope::sema

/** What differs between the processors that Linux is used on. */
interface Processor {
  /** AUDIT_ARCH_* of linux/audit.h. */
  readonly audit: number;
  readonly socket: number;
  readonly socketpair: number;
  /** add_key, request_key, keyctl, bpf, perf_event_open, userfaultfd, io_uring_setup, io_uring_enter, io_uring_register. */
  readonly refused: readonly number[];
  /** System calls from this number on are those of another interface (x32). */
  readonly foreignFrom: number | null;
}

/** System call numbers of the kernel's tables (arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h). */
const processors: Readonly<Record<string, Processor>> = {
  x64: {
    audit: 0xc000003e,
    socket: 41,
    socketpair: 53,
    refused: [248, 249, 250, 321, 298, 323, 425, 426, 427],
    foreignFrom: 0x4000_0000,
  },
  arm64: {
    audit: 0xc00000b7,
    socket: 198,
    socketpair: 199,
    refused: [217, 218, 219, 280, 241, 282, 425, 426, 427],
    foreignFrom: null,
  },
};

/** AF_INET, AF_INET6, AF_NETLINK: what reaches the sandbox's own network and nothing else. */
const families = [2, 10, 16];
/** SOCK_STREAM, SOCK_SEQPACKET: pairs of these are connected for good, those of datagrams can be connected anew. */
const pairTypes = [1, 5];
const typeMask = 0xf;

/** Offsets in struct seccomp_data: number, processor, low halves of the first two arguments. */
const at = { number: 0, audit: 4, first: 16, second: 24 } as const;
const opcode = { load: 0x20, equal: 0x15, atLeast: 0x35, and: 0x54, answer: 0x06 } as const;
const allow = 0x7fff_0000;
/** SECCOMP_RET_ERRNO with EPERM. */
const refuse = 0x0005_0001;

interface Instruction {
  readonly code: number;
  readonly operand: number;
  /** Label to go to when the comparison holds or not; absent: the next instruction. */
  readonly yes?: string;
  readonly no?: string;
  readonly label?: string;
}

const equal = (operand: number, yes: string): Instruction => ({ code: opcode.equal, operand, yes });
const load = (operand: number, label?: string): Instruction => ({
  code: opcode.load,
  operand,
  ...(label === undefined ? {} : { label }),
});
const answer = (operand: number, label?: string): Instruction => ({
  code: opcode.answer,
  operand,
  ...(label === undefined ? {} : { label }),
});

function program({ audit, socket, socketpair, refused, foreignFrom }: Processor): readonly Instruction[] {
  return [
    load(at.audit),
    { code: opcode.equal, operand: audit, no: 'refuse' },
    load(at.number),
    ...(foreignFrom === null
      ? []
      : [{ code: opcode.atLeast, operand: foreignFrom, yes: 'refuse' } satisfies Instruction]),
    ...refused.map((number) => equal(number, 'refuse')),
    equal(socket, 'socket'),
    equal(socketpair, 'pair'),
    answer(allow),
    load(at.first, 'socket'),
    ...families.map((family) => equal(family, 'allow')),
    answer(refuse),
    load(at.second, 'pair'),
    { code: opcode.and, operand: typeMask },
    ...pairTypes.map((type) => equal(type, 'allow')),
    answer(refuse, 'refuse'),
    answer(allow, 'allow'),
  ];
}

function distance(steps: readonly Instruction[], from: number, label: string | undefined): number {
  return label === undefined ? 0 : steps.findIndex((step) => step.label === label) - from - 1;
}

/**
 * The program (struct sock_filter[]) that a shut-in command runs under: no Unix sockets but connected pairs (agents, docker, D-Bus
 * and displays listen on such), no other families than IP and netlink, no kernel key rings, no io_uring (it makes sockets unseen),
 * nothing of a foreign system call interface. Refused calls fail with EPERM. null: not known for this processor.
 */
export function seccompFilter(arch: string): Uint8Array | null {
  const processor = processors[arch];
  if (processor === undefined) return null;
  const steps = program(processor);
  const bytes = Buffer.alloc(steps.length * 8);
  for (const [index, step] of steps.entries()) {
    bytes.writeUInt16LE(step.code, index * 8);
    bytes.writeUInt8(distance(steps, index, step.yes), index * 8 + 2);
    bytes.writeUInt8(distance(steps, index, step.no), index * 8 + 3);
    bytes.writeUInt32LE(step.operand, index * 8 + 4);
  }
  return bytes;
}

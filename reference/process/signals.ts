const names: Readonly<Record<string, number>> = {
  HUP: 1,
  INT: 2,
  QUIT: 3,
  ILL: 4,
  TRAP: 5,
  ABRT: 6,
  IOT: 6,
  BUS: 7,
  FPE: 8,
  KILL: 9,
  USR1: 10,
  SEGV: 11,
  USR2: 12,
  PIPE: 13,
  ALRM: 14,
  TERM: 15,
  STKFLT: 16,
  CHLD: 17,
  CLD: 17,
  CONT: 18,
  STOP: 19,
  TSTP: 20,
  TTIN: 21,
  TTOU: 22,
  URG: 23,
  XCPU: 24,
  XFSZ: 25,
  VTALRM: 26,
  PROF: 27,
  WINCH: 28,
  IO: 29,
  POLL: 29,
  PWR: 30,
  SYS: 31,
  RTMIN: 34,
  RTMAX: 64,
};

/** The signals that the kernel does not let a process handle, and those that the probe ignores. */
export const notCaught: ReadonlySet<number> = new Set([9, 17, 18, 19, 20, 21, 22, 23, 28, 32, 33]);

/** The signals that the probe handles from its start. */
export const handledFromStart: ReadonlySet<number> = new Set([1, 2, 3, 10, 12, 14, 15]);

/** The signals that the probe ignores from its start. */
export const ignoredFromStart: ReadonlySet<number> = new Set([13]);

/** Signal 0, and those that the kernel does not let a process ignore. */
export const cannotBeIgnored: ReadonlySet<number> = new Set([0, 9, 19]);

/** The signals whose default action leaves a process alone. */
export const ignoredByDefault: ReadonlySet<number> = new Set([17, 18, 20, 21, 22, 23, 28]);

/**
 * The number of a signal, given as a number or as a name with or without SIG; undefined when there is no such signal.
 */
export function signalNumber(signal: string | number): number | undefined {
  const text = String(signal);
  if (/^\d{1,3}$/.test(text)) {
    const number = Number(text);
    return number >= 1 && number <= 64 ? number : undefined;
  }
  const name = text.toUpperCase().replace(/^SIG/, '');
  if (Object.hasOwn(names, name)) return names[name];
  const realtime = /^RT(MIN\+|MAX-)(\d{1,2})$/.exec(name);
  if (!realtime) return undefined;
  const number = realtime[1] === 'MIN+' ? 34 + Number(realtime[2]) : 64 - Number(realtime[2]);
  return number >= 34 && number <= 64 ? number : undefined;
}

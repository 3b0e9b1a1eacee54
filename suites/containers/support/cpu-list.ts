/** The numbers of the CPUs in a list with ranges, such as `0-2,4` (Document 1, HostConfig, CpusetCpus). */
export function cpusIn(list: string): number[] {
  return list.split(',').flatMap((part) => {
    const [first = Number.NaN, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, place) => first + place);
  });
}

/**
 * What a rule may need from a target or its host beyond the contract. On a target without it the rule is not judged:
 * the verdict is `skip`, with the reason that `doctor` found.
 */
export const capabilities = {
  'containers-run': 'containers of the probe image can be started',
  privileged: 'privileged containers can be started',
  freezer: 'containers can be paused (a cgroup freezer)',
  networking: 'containers get an address on the default network',
  'host-paths': 'the daemon sees the files of the machine that the suite runs on',
  journald: 'containers can log to journald',
  'cors-origin': 'the daemon was started with the api-cors-header that --cors-origin names',
  'reaches-suite': 'the daemon can fetch files from the machine that the suite runs on',
  registry: 'the daemon reaches the registry of the suite',
  'search-index': 'the daemon searches the registry of the suite when the term names it',
  hostile: 'requests that no client should send may be sent (--hostile)',
  'token-user': 'a token endpoint that accepts POST was named, with a user or refresh token that gets a token there',
} as const;

export type Capability = keyof typeof capabilities;

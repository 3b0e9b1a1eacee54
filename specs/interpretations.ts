/**
 * How loose passages of the documents are read. `place` says what is loose, `reading` how the suite reads it. A rule
 * that depends on one cites its id.
 */
export const interpretations = {
  'null-for-empty': {
    place: 'documents type a field as list or map, engines send null when it is unset',
    reading:
      "fields that echo a create input (Config, HostConfig, image Config): null passes, and is recorded. A whole response that is called a list (changes, top), `Warnings`, `Labels`, `RepoDigests`, filters' results: null fails at should. A wrong non-null type is a must failure everywhere",
  },
  'null-for-integer': {
    place: 'MemorySwappiness, PidsLimit, exec ExitCode before the end',
    reading:
      'null for an unset input echo passes and is recorded; null for `ExitCode` of a finished exec is a must failure, of an unfinished one should',
  },
  'absent-when-empty': {
    place: 'a documented response field is missing because it is empty, false or zero',
    reading:
      "top-level fields of a response object: must when the documents' text relies on it (ids, names, states, codes, sizes asked for), otherwise should. Input echoes inside Config and HostConfig: judged only after the field was set explicitly (then must); unset and absent: observe",
  },
  'server-error': {
    place: '500 is the only server error that is listed, and nothing is said to cause it',
    reading:
      'every answer of the run with a status of 500 or more is examined, except for 501, which says that the daemon does not do what was asked; one that is not 500 is a should failure, as a bad request may be refused with any status from 400 on; an endpoint that never answered so, or always, is skipped',
  },
  'search-registry': {
    place: 'search asks the public index, and a term is just a string',
    reading:
      'a daemon that asks the registry whose host and port precede the term is judged by the answers of that registry; a daemon that does not is not judged',
  },
  'config-of-inspect': {
    place:
      'the container configuration table is also the Config part of inspect, yet lists HostConfig and NetworkingConfig',
    reading: 'never expected inside Config',
  },
  'image-config-open': {
    place: 'Config and ContainerConfig of an image have no stated shape',
    reading: 'objects; the fields they share with the container configuration are checked for type only',
  },
  'exec-container': {
    place: 'exec inspect 1.20/1.21 carries Container',
    reading: 'only the members that Document 1 lists for it',
  },
  'endpoint-networkid': {
    place: "NetworkID of endpoint settings: listed without mark, and 'since 23' for inspect",
    reading: 'expected from 1.23',
  },
  'exec-as-created': {
    place: 'exec inspect lists members named like what exec create asks for, and their meaning is not shown',
    reading:
      'ProcessConfig has the command in entrypoint and arguments, and user, tty and privileged as they were asked for; OpenStdin, OpenStdout and OpenStderr tell which streams were: at should, where the member is there',
  },
  'mount-name-driver': {
    place: 'Mount Name and Driver since 23',
    reading: 'judged on a volume mount; a bind has neither',
  },
  'ports-unpublished': { place: 'PublicPort of an exposed, unpublished port', reading: 'absent passes' },
  'verbose-output': {
    place: 'q suppresses verbose output, and the documents do not say what is verbose',
    reading: 'what a RUN writes is verbose, at should; with q there is less output in any case',
  },
  'challenge-scopes': {
    place:
      'several scopes of a challenge are converted to one list, and the documents do not say that a client must ask for all of them',
    reading: 'the token endpoint is asked for each of them, at should',
  },
  'repo-of-pull': {
    place: 'repo is only for importing, and the documents do not say what happens to one that comes with a pull',
    reading: 'it may be refused or ignored, and names nothing that is pulled, at should',
  },
  'progress-members': {
    place: 'progress objects list status, progress, progressDetail, id',
    reading: 'every member optional, at least one present, types checked',
  },
  'lxc-conf': {
    place:
      'LxcConf is effective only with the lxc execution driver: a map in the examples of create, a list in inspect',
    reading:
      'create accepts it whatever the driver; an engine without that driver need not keep it, so it is judged by type where inspect has it: a map or a list',
  },
  'blkio-rate': { place: 'Rate has no type', reading: 'string or integer' },
  'sha256-prefix': {
    place: "'sha256:' since 23",
    reading: 'image inspect Id, Parent, RootFS.Layers only; ids are compared with the prefix removed elsewhere',
  },
  'status-text': {
    place: "list Status is 'human-readable (form Exit <code>)'",
    reading: 'of an exited container: matches `/^Exit/` and contains the code, at should',
  },
  'state-text': {
    place: "list State is a string, 'for example' a value of the status filter",
    reading: 'one of the values of the status filter, at should',
  },
  'open-objects': {
    place: 'nothing forbids further fields, headers or event kinds',
    reading: "recorded as undocumented; only 'absent in 23' statements forbid",
  },
  'big-integers': { place: 'timeNano exceeds 2^53; path-stat mode exceeds 2^31', reading: 'compared without loss' },
  'header-case': {
    place: 'header names vary in case',
    reading: 'compared without case; media types without parameters unless the parameter is stated',
  },
  'listed-codes': {
    place: 'each endpoint lists its status codes',
    reading:
      "a stated condition with a stated code is must for exactly that code. An error condition without a stated code: any listed code of class 4xx/5xx, and also a code of Document 1's general table whose meaning fits, passes; a code outside both is should",
  },
  'bad-parameter': {
    place: '400 and 500 both listed, condition not stated',
    reading:
      'any 4xx or 5xx; 2xx for input that a stated rule excludes is must failure; 500 instead of 400 is recorded',
  },
  'malformed-filters': {
    place:
      'filters is a JSON map of lists; the documents do not say what happens to anything else, and no endpoint except the container list has a 400',
    reading: 'refused at should; at must in the container list, which answers 400 to a bad parameter',
  },
  'swap-left-behind': {
    place:
      'the rules for fields of update are those of HostConfig, where MemorySwap must be larger than Memory; whether they hold of what an update does not name is not said',
    reading: 'they hold of what inspect shows after an update, whether it was taken or refused, at should',
  },
  'bind-places': {
    place:
      'the filter volume has the destination of a mount point; the documents do not say whether a directory of the host that is bound to one counts',
    reading: 'it does, at should',
  },
  'filter-values': {
    place:
      'the filter exited has an integer and the filter status one of the states; the documents do not say what happens to another value',
    reading: 'refused at should',
  },
  'exited-ended': {
    place:
      'the filter exited asks for an exit code; the documents do not say whether a container has one that has not ended',
    reading: 'it has none, at should',
  },
  'filters-combined': {
    place: 'filters is a map of names to lists; the documents do not say how several values of one name combine',
    reading: 'several labels must all match, several containers of events are alternatives: at should',
  },
  'plain-image-name': {
    place: 'the name of an image may carry a tag or a digest, so it may have neither',
    reading: 'a name alone finds an image that has it with the tag latest, which is the default of build',
  },
  'volume-names': {
    place: 'since 1.21 the first part of a bind is an absolute path or the name of a volume, whose form is not stated',
    reading: 'what begins with ./ or ../ is not a name, and is refused at should',
  },
  'unknown-restart-policy': {
    place: 'the names of restart policies are listed; the documents do not say what happens to another one',
    reading: 'refused at should',
  },
  'unknown-log-driver': {
    place: 'the types of LogConfig are listed; the documents do not say what happens to another one',
    reading: 'refused at create or at start, at should',
  },
  'attributes-seen': {
    place: 'attributes of events are those that were seen in a run of a container, plus the labels of the object',
    reading: 'at must on events of containers, at should on those of other objects',
  },
  'seen-inside': {
    place: 'the documents do not say what a container sees inside of a network that it is on',
    reading: 'one interface for each network, and the default route by its Gateway, at should',
  },
  'wrong-types': {
    place: 'the type of a field is stated, but not what happens to a value of another type',
    reading: 'refused at should',
  },
  'string-timestamp': {
    place: "a timestamp is a string, in a form that is not stated, except for the token's issued_at",
    reading: 'a string at must, of the form of RFC 3339 at should',
  },
  'link-path': {
    place: 'link removes the specified link, and the documents do not say how the path names one',
    reading: '`<name of the container>/<alias>`, at should',
  },
  'domain-name': {
    place: 'Domainname is just a string',
    reading: 'the process sees it as its domain name, at should',
  },
  'resolver-files': {
    place:
      'Dns, DnsOptions, DnsSearch and ExtraHosts are lists, and the documents do not say how the container uses them',
    reading:
      "they are in the container's resolv.conf and hosts files, at should, as an engine may resolve names itself",
  },
  'link-lookup': {
    place: 'Links name a container and an alias, and the documents do not say how the container finds the other by it',
    reading: 'the alias is in the hosts file, at should',
  },
  'soft-limit': {
    place: 'MemoryReservation is a soft limit, and the documents do not say what a host does with one',
    reading: 'the soft limit of the first version of control groups, or memory.low of the second, at should',
  },
  'pause-halts': {
    place: 'pause answers 204 and the container is then paused; the documents do not say what happens to its processes',
    reading: 'they halt until the container is resumed, at should',
  },
  'interface-names': {
    place: 'the documents do not name the network interfaces of a container',
    reading: 'every name passes; what the kernel itself puts into each network does not count',
  },
  'removed-identifiers': {
    place: 'a removal result item has the identifier of an image, and nothing says of which',
    reading:
      'one in Deleted is that of the image that was to be removed, where it is gone, at should; others may be there',
  },
  'list-and-inspect': {
    place:
      'a list and inspect have the same members for a thing, some under another name, and nothing says that both give the same values',
    reading: 'they do, at should, as far as both have a member',
  },
  'network-and-container': {
    place:
      'a network and a container both tell of the endpoint that the container has there, and nothing says that they give the same values',
    reading:
      'Containers has the container by its identifier, with its name and with the EndpointID, MAC address and IPv4 address that the container has on the network: at should, as far as both tell them',
  },
  'same-in-versions': {
    place: 'each version says what an object has, and none says that two versions give the same values for one object',
    reading: 'fields that two versions have are the same in both, at should',
  },
  'identity-token': {
    place: 'an identitytoken logs in, and the documents do not say what a daemon does with it at the registry',
    reading: 'it is the refresh token that is posted to the token endpoint, at should',
  },
  'history-items': {
    place: 'the history of an image is a list of items, and the documents do not say what gets an item',
    reading: 'an image has one item more than the image that it was made from, at should',
  },
  'unchanged-files': {
    place: 'the documents do not say which files an engine itself makes in a container',
    reading: 'none in one that was never started, at should',
  },
  'many-clients': {
    place: 'the documents say nothing about several clients at once, and concurrency limits are not shown',
    reading: 'each client gets what it would get alone, at should',
  },
  'stdin-without-stream': {
    place: 'stdin attaches to stdin when stream is true; what it does otherwise is not said outright',
    reading: 'without stream nothing is passed on, at should',
  },
  'kill-delay': {
    place: 'a container that has not stopped when t seconds have passed is killed; nothing says how soon',
    reading:
      'within three seconds, and what the daemon needs besides a wait of one second at the same time; later is a should failure',
  },
  'create-406': {
    place: "'attach requested but container not running'",
    reading: 'a container never runs at create: not checked (observe)',
  },
  'ws-101': { place: 'attach/ws lists 200, RFC 6455 says 101', reading: '101' },
  'attach-200-media-type': {
    place:
      'the raw-stream media type is listed for upgraded streams, and for the 200 of exec start, not for that of attach',
    reading: 'attach has the same stream with 200, so its media type is judged at should',
  },
  'exec-start-101': {
    place: 'framing promises 101 with Upgrade, exec start lists 200',
    reading: '101 with Upgrade, 200 without; 200 with Upgrade is should',
  },
  'logs-101': {
    place: 'logs lists 101 with Upgrade',
    reading: 'must: explicit in two places. The media type of a 200 answer of logs is not judged',
  },
  'push-missing': { place: '404 listed, and push failures are in the 200 stream', reading: 'either' },
  'image-after-load': {
    place:
      'an archive has the layers of an image and details of each; the documents do not say which of them load keeps',
    reading:
      'its names and its files, at must; its identifier, labels, author and comment, at should; how its files are distributed over layers is not judged',
  },
  'save-missing': { place: 'image get lists 200 and 500; 404 means no such image', reading: '404 or 500' },
  'archive-names': {
    place: 'the build file is at the archive root, and nothing says how an archive writes names',
    reading: 'tar begins the names of a directory with `./`, and `./a` is the same file as `a`: judged at should',
  },
  'build-errors': {
    place: "'returns an error if incorrect'",
    reading:
      'an {error} object in a 200 stream, or any 4xx/5xx. errorDetail.code is the exit code of a failing RUN, at should',
  },
  'remove-running': {
    place: 'remove of a running container without force: no condition stated',
    reading: 'any 4xx/5xx, and the container is still there',
  },
  'newer-client': {
    place: "'every call' and 'from 1.21 on'",
    reading:
      "judged with versions far above the daemon's, one of which sorts before it as text and one of which has a smaller second number, and with the one after its newest, on the 1.21 and 1.23 runs; observed on 1.20",
  },
  'reported-version': {
    place: 'whether ApiVersion is the newest version of the daemon or the version of the request',
    reading:
      'either passes. From 1.21 on, a version older than that of a request that it answers with 2xx fails, as such a request must get 400',
  },
  'error-body': { place: 'error format not shown', reading: "observed; only the archive endpoints' 400 must be JSON" },
  'name-refused': { place: 'which status a bad name gets', reading: '400 or 500; the container must not exist' },
  'name-pattern': {
    place: '`/?[a-zA-Z0-9_-]+` is not said to be anchored',
    reading:
      'names of only these characters must be accepted (`_x`, `-x`, `x`, `/x`); a name with none of them (`!!`, `.`) must be refused; a name that mixes in a character outside (`a.b`, `a b`) is refused at should',
  },
  'filters-and-all': {
    place: 'whether filters imply non-running containers',
    reading:
      'send `all=1` when filtering for exited, label, ancestor, volume; for status filters either passes without it',
  },
  'paused-is-running': { place: 'whether the default list has paused containers', reading: 'observe' },
  'image-filter-name': {
    place: '`filter=<name>` inside filters or on its own',
    reading: 'passes when either form works',
  },
  memoryswap: { place: "'larger than Memory'", reading: 'tested with clearly smaller values; equality is observed' },
  'shmsize-zero': {
    place: 'greater than 0, 64 MB when omitted',
    reading: 'tested with -1; 0 is observed; 67108864 or 64000000 pass as 64 MB',
  },
  'blkio-host': {
    place: 'kernels without blkio weight discard the value',
    reading: 'skipped with the reason when the answer warns so or /info shows it',
  },
  'log-lines': {
    place: 'timestamps and tail of logs; what a line is, is not stated',
    reading: 'a line ends where its process wrote the end of a line, in however many parts it wrote it; at should',
  },
  'host-limits': {
    place: 'limits whose control group the host of the daemon lacks; what of them is told is open',
    reading:
      'skipped with the reason when the answer warns that the kernel does not support them or that they were discarded, or when /info says that the host lacks them: MemoryLimit, SwapLimit, CpuCfsPeriod, CpuCfsQuota or PidsLimit false, or CgroupDriver none',
  },
  'resize-restart': {
    place: "resize 'takes effect after a restart'",
    reading: 'it must be in effect after a restart; whether it takes effect earlier is observed',
  },
  'commit-body': {
    place:
      'the body is the container configuration; the documents do not say which parts of it the image has, and where',
    reading: 'sent at the top level, `{}` when empty; the image has it in its Config, at should',
  },
  'start-exited': {
    place: 'transitions are not shown; the one stated case in which start does nothing is a started container',
    reading: 'a container that has exited is started again, at should',
  },
  'update-at-once': {
    place: 'it is not stated when a limit that update sets for a running container takes effect',
    reading: 'at once, at should',
  },
  'wait-stopped': {
    place: 'wait always blocks until the container stops and then gives its exit code',
    reading: 'a container that has stopped leaves nothing to wait for: the answer comes at once, with the code',
  },
  'check-duplicate': {
    place: 'CheckDuplicate is a best effort that cannot find every collision',
    reading: 'for requests one after another, a name that is taken is refused, at should',
  },
  'stop-created': { place: 'stop of a container that was never started', reading: 'observe' },
  'wait-created': { place: 'wait for a container that was never started', reading: 'observe' },
  'tag-force': { place: 'force and 409 of tag: condition not stated', reading: 'observe' },
  noprune: { place: 'what noprune keeps is not shown', reading: 'observe' },
  'build-id-format': {
    place: 'how the identifier of a built image is written is not shown',
    reading: 'its first 12 digits are in one of the last objects, at should',
  },
  'event-causes': {
    place: 'which operation causes which event is not shown',
    reading:
      "kinds of the sample sequence (pull, create, attach, connect, start, resize, die, disconnect, destroy) and kinds named like the operation are judged at should, by presence and not by order beyond the sample's; other causes are observed",
  },
  'event-text': {
    place: 'exec_create and exec_start may carry the command line',
    reading: "the kind is the text before the first ':' at should for exact equality, must for the prefix",
  },
  'events-by-version': {
    place: 'volume and network kinds since 23',
    reading: 'an object with such a Type in an older stream is observed, and never breaks the reading of the stream',
  },
  symlink: { place: "'a symlink is resolved to its target' beside linkTarget in path stat", reading: 'should' },
  'precpu-first': {
    place: 'first object of a stats stream has no previous reading',
    reading: 'judged from the second object',
  },
  'top-columns': { place: 'ps output', reading: 'Titles a list of strings, each process as wide as Titles' },
  'aux-address': { place: 'AuxAddress form', reading: 'observe' },
  'volume-options': {
    place: 'DriverOpts are driver specific',
    reading: 'used only as type=tmpfs, device=tmpfs; skipped when refused',
  },
  flags: {
    place: 'only 1, True, true, 0, False, false are defined',
    reading: 'all six are judged; other spellings observed',
  },
  'auth-20-21': { place: 'POST /auth empty answer in 1.20 and 1.21', reading: 'must when a registry is available' },
  'plain-text': { place: "exec inspect 'plain/text'", reading: '`plain/text` or `text/plain` in 1.20/1.21' },
  cors: {
    place: 'only with the daemon setting',
    reading: 'judged for the default (no header) and, with `--cors-origin`, for the set value',
  },
  'token-404': {
    place: 'POST /token answers 404',
    reading: 'the server does not implement it: all POST rules are skipped, that is allowed',
  },
  'scope-form': {
    place: 'the scope of an answer is one string, whose order and separators are not stated',
    reading:
      'read as the set of its types, names and actions, separated by spaces or commas; how it is written is observed',
  },
  'token-errors': {
    place: 'error answers of the token endpoint not shown',
    reading: 'must not be 2xx and must carry no token; the code is observed',
  },
  'expires-in': {
    place: 'required, and has a default',
    reading: 'present: integer of at least 60. Absent: should, treated as 60',
  },
} as const satisfies Readonly<Record<string, Interpretation>>;

export interface Interpretation {
  readonly place: string;
  readonly reading: string;
}

export type InterpretationId = keyof typeof interpretations;

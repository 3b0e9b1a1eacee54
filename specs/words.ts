/**
 * The neutral words of the documents that stand for a brand word on the wire (Document 1, introduction).
 * A dialect gives the wire spelling of each.
 */
export const neutralWords = [
  'EngineRootDir',
  'EngineVersion',
  'Enginefile',
  'X-Engine-Container-Path-Stat',
  'application/vnd.engine.raw-stream',
  'application/vnd.engine.multiplexed-stream',
  'cloudlogs',
  'searchlogs',
] as const;

export type NeutralWord = (typeof neutralWords)[number];

/** The wire spelling of every neutral word. */
export type Words = Readonly<Record<NeutralWord, string>>;

export const engineWords: Words = {
  EngineRootDir: 'EngineRootDir',
  EngineVersion: 'EngineVersion',
  Enginefile: 'Enginefile',
  'X-Engine-Container-Path-Stat': 'X-Engine-Container-Path-Stat',
  'application/vnd.engine.raw-stream': 'application/vnd.engine.raw-stream',
  'application/vnd.engine.multiplexed-stream': 'application/vnd.engine.multiplexed-stream',
  cloudlogs: 'cloudlogs',
  searchlogs: 'searchlogs',
};

export const dockerWords: Words = {
  EngineRootDir: 'DockerRootDir',
  EngineVersion: 'DockerVersion',
  Enginefile: 'Dockerfile',
  'X-Engine-Container-Path-Stat': 'X-Docker-Container-Path-Stat',
  'application/vnd.engine.raw-stream': 'application/vnd.docker.raw-stream',
  'application/vnd.engine.multiplexed-stream': 'application/vnd.docker.multiplexed-stream',
  cloudlogs: 'awslogs',
  searchlogs: 'splunk',
};

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { probeProgram, psProgram } from '../../harness/probe/program.ts';
import { workplace } from '../workplace.ts';

const buildFile = `FROM scratch
ARG COLOUR=grey
LABEL stage=day
ENV COLOUR=$COLOUR
COPY probe ps /
COPY notes /data
WORKDIR /work
ENTRYPOINT ["/probe"]
CMD ["out", "built\\\\n"]
`;

/** The files of the build context, beside its build file. */
export const contextFiles = ['probe', 'ps', 'notes/one.txt'];

/** A directory with a build file for an image that holds the probe, as the reference engine runs no other program. */
export async function buildContext(): Promise<string> {
  const directory = path.join(workplace, 'context');
  mkdirSync(path.join(directory, 'notes'), { recursive: true });
  writeFileSync(path.join(directory, 'Dockerfile'), buildFile);
  writeFileSync(path.join(directory, 'probe'), await probeProgram('amd64'), { mode: 0o755 });
  writeFileSync(path.join(directory, 'ps'), await psProgram('amd64'), { mode: 0o755 });
  writeFileSync(path.join(directory, 'notes', 'one.txt'), 'the first note\n');
  return directory;
}

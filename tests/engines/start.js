// Starts one of the daemons that the tests judge, prints its address, and stops it on Ctrl-C: `npm run engine dockerd`.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const source = fileURLToPath(new URL('./engines.ts', import.meta.url));
const { module } = await runnerImport(source, { configFile: false, logLevel: 'silent' });
const [name = ''] = process.argv.slice(2);
const engine = module.engines.find((one) => one.name === name);
if (!engine) {
  console.error(`name one of ${module.engines.map((one) => one.name).join(', ')}`);
  process.exit(2);
}
const reason = engine.unavailable();
if (reason !== undefined) {
  console.error(`${name} cannot be had: ${reason}`);
  process.exit(3);
}
const daemon = await engine.start();
console.log(daemon.socket);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await daemon.stop();
    process.exit(0);
  });
}

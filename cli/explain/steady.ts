/** Normalizes what differs between runs, so that a reader sees what matters. */
export function steady(text: string): string {
  return text
    .replace(/\/\S*\/engine-conformance-\w+\/engine\.sock/g, '/run/engine.sock')
    .replace(/\bec-[0-9a-z]{12}-/g, 'ec-')
    .replace(/(conformance\.run\W+)[0-9a-z]{12}\b/g, '$1RUN')
    .replace(/\b[0-9a-f]{64}\b/g, 'ID')
    .replace(/\b127\.0\.0\.1:\d+/g, '127.0.0.1:PORT');
}

import { zipOf } from '@emu/gateway/testing';

/**
 * A function with a custom runtime that uses the Runtime API with node's own modules. It returns the event, the status
 * of emu's health route, and its process id.
 */
export const RUNTIME_PACKAGE = zipOf({
  bootstrap: '#!/bin/sh\nexec node "$LAMBDA_TASK_ROOT/runtime.js"\n',
  'runtime.js': `
    const api = 'http://' + process.env.AWS_LAMBDA_RUNTIME_API + '/2018-06-01/runtime/invocation/';
    (async () => {
      for (;;) {
        const next = await fetch(api + 'next');
        const event = await next.json();
        const health = await fetch(process.env.AWS_ENDPOINT_URL + '/_emulator/health');
        const answer = { event, health: health.status, pid: process.pid };
        await fetch(api + next.headers.get('lambda-runtime-aws-request-id') + '/response', { method: 'POST', body: JSON.stringify(answer) });
      }
    })();`,
});

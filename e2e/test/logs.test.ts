import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsCli, noCli } from '../src/aws-cli.ts';
import { type Emu, startEmu } from '../src/emu.ts';

let emu: Emu;
beforeAll(async () => {
  emu = await startEmu();
});
afterAll(() => emu?.kill());

describe.skipIf(noCli !== undefined)(
  `CloudWatch Logs through the AWS CLI${noCli ? ` (skipped: ${noCli})` : ''}`,
  () => {
    const cli = awsCli(() => emu.url);
    const logs = (...args: string[]) => cli.answer('logs', ...args);
    const group = ['--log-group-name', '/cli/group'];

    test('events are put, read and filtered in pages', { timeout: 120_000 }, async () => {
      await logs('create-log-group', ...group);
      await logs('create-log-stream', ...group, '--log-stream-name', 'one');
      const now = Date.now();
      const events = ['ERROR first', 'info', 'ERROR second'].map((message, n) => ({ timestamp: now + n, message }));
      const stream = [...group, '--log-stream-name', 'one'];
      await logs('put-log-events', ...stream, '--log-events', JSON.stringify(events));
      const messagesOf = ({ events: found }: Record<string, unknown>) =>
        (found as { message: string }[]).map(({ message }) => message);
      expect(messagesOf(await logs('get-log-events', ...stream))).toEqual(events.map(({ message }) => message));
      const filtered = await logs('filter-log-events', ...group, '--filter-pattern', 'ERROR', '--page-size', '1');
      expect(messagesOf(filtered)).toEqual(['ERROR first', 'ERROR second']);
      const refused = await cli.run('logs', 'get-log-events', ...group, '--log-stream-name', 'none');
      expect(refused.stderr).toContain('The specified log stream does not exist.');
    });

    test('`logs tail` prints them with times and streams, if the CLI supports it', {
      timeout: 120_000,
    }, async (context) => {
      const { code, stdout, stderr } = await cli.run(
        'logs',
        'tail',
        '/cli/group',
        '--since',
        '1h',
        '--format',
        'short',
      );
      // Version 1 lacks this command.
      if (/Invalid choice|invalid choice/.test(stderr)) return context.skip('this AWS CLI has no `logs tail`');
      expect({ code, lines: stdout.trimEnd().split('\n') }).toEqual({
        code: 0,
        lines: [
          expect.stringMatching(/^\S+ ERROR first$/),
          expect.stringMatching(/^\S+ info$/),
          expect.stringMatching(/^\S+ ERROR second$/),
        ],
      });
    });
  },
);

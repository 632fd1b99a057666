import type { DeepReadonly } from '@emu/core/service';
import { logWriter, type StateScope } from '@emu/core/service';
import { asSsm } from '../parameters/events.ts';
import type { CommandRecord, PluginRecord } from './records.ts';

type Command = DeepReadonly<CommandRecord>;
type PluginResult = DeepReadonly<PluginRecord>;

/** Returns the output folder of a plugin below command and node: `awsrunShellScript/<step>`. */
function folderOf({ name, action }: Pick<PluginResult, 'name' | 'action'>): string {
  const plugin = action.replaceAll(':', '');
  return `${plugin}/${name === action ? `0.${plugin}` : name}`;
}

/** Returns the keys of the output objects of a plugin on a node; undefined if the command has no bucket. */
function keysOf({ bucket, bucketPrefix, id }: Command, instanceId: string, plugin: PluginResult) {
  if (bucket === undefined) return undefined;
  const prefix = bucketPrefix ? `${bucketPrefix.replace(/\/$/, '')}/` : '';
  const folder = `${prefix}${id}/${instanceId}/${folderOf(plugin)}`;
  return { stdout: `${folder}/stdout`, stderr: `${folder}/stderr` };
}

/** Returns the URLs of the output objects; empty strings if the command has no bucket. */
export function outputUrls(
  command: Command,
  instanceId: string,
  plugin: PluginResult | undefined,
  region: string,
): { StandardOutputUrl: string; StandardErrorUrl: string } {
  const keys = plugin && keysOf(command, instanceId, plugin);
  if (!keys) return { StandardOutputUrl: '', StandardErrorUrl: '' };
  const base = `https://s3.${command.bucketRegion ?? region}.amazonaws.com/${command.bucket}`;
  return { StandardOutputUrl: `${base}/${keys.stdout}`, StandardErrorUrl: `${base}/${keys.stderr}` };
}

/** Writes the output of a plugin to S3 and CloudWatch Logs if the command requests it. */
export async function writeOutputs(
  command: Command,
  instanceId: string,
  plugin: PluginResult,
  scope: StateScope,
): Promise<void> {
  const { accountId, region } = scope;
  const keys = keysOf(command, instanceId, plugin);
  for (const stream of ['stdout', 'stderr'] as const) {
    const text = plugin[stream];
    if (text === '') continue;
    if (keys)
      await scope.call(
        's3',
        'PutObject',
        { Bucket: command.bucket!, Key: keys[stream], Body: Buffer.from(text) },
        asSsm(accountId, command.bucketRegion ?? region, command.cause),
      );
    if (!command.cloudWatch?.CloudWatchOutputEnabled) continue;
    const group = command.cloudWatch.CloudWatchLogGroupName ?? `/aws/ssm/${command.documentName}`;
    const place = { accountId, region, group, stream: `${command.id}/${instanceId}/${folderOf(plugin)}/${stream}` };
    const timestamp = Math.floor(scope.clock.now());
    await (await scope.service.capability(logWriter))?.write(
      place,
      text
        .replace(/\n$/, '')
        .split('\n')
        .map((message) => ({ timestamp, message })),
    );
  }
}

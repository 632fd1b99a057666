import {
  type ContainerInstance,
  type ContainerRuntime,
  logWriter,
  ServiceRole,
  type StateScope,
} from '@emu/core/service';
import { isObject, jsonOrText, textOf } from '@emu/wire';
import type { Json } from '../../documents/content.ts';
import { resolveDocument } from '../../documents/resolve.ts';
import { StepFailure } from '../failures.ts';
import type { StepContext } from '../types.ts';
import { waitFor } from '../waiting.ts';
import type { Action } from './types.ts';

/** Default timeout of a script, in seconds. */
const SCRIPT_TIMEOUT = 600;

/** Marker before the handler's result in the interpreter's output. */
const MARK = '\u0001result\u0001';

/** Program that calls the handler of the script in the environment and writes the result. */
const DRIVER = `
import json, os, sys
space = {"__name__": "script"}
exec(compile(os.environ.pop("EMU_SCRIPT"), "script.py", "exec"), space)
handler = space[os.environ.pop("EMU_HANDLER")]
events = json.loads(os.environ.pop("EMU_EVENTS"))
context = json.loads(os.environ.pop("EMU_CONTEXT"))
result = handler(events, context)
sys.stdout.flush()
sys.stdout.write(${JSON.stringify(MARK)} + json.dumps(result, default=str))
sys.stdout.flush()
`;

/** Roles that automations assume. */
const automationRole = new ServiceRole({ service: 'ssm', session: 'Automation' });

/** Returns the environment variables with which the script's SDK reaches emu. */
async function environmentOf(step: StepContext, runtime: ContainerRuntime): Promise<Record<string, string>> {
  const { scope } = step.run.automations;
  const { service } = scope;
  const { record } = step.run;
  const base = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    AWS_REGION: scope.region,
    AWS_DEFAULT_REGION: scope.region,
    AWS_ENDPOINT_URL: await service.containers.urlInside(runtime, await service.selfUrl()),
  };
  if (record.role === undefined)
    return { ...base, AWS_ACCESS_KEY_ID: scope.accountId, AWS_SECRET_ACCESS_KEY: 'automation' };
  const use = { RoleSessionName: `Automation-${record.id}` };
  const { Credentials } = await automationRole.assume(record.role, scope, use);
  return {
    ...base,
    AWS_ACCESS_KEY_ID: Credentials!.AccessKeyId,
    AWS_SECRET_ACCESS_KEY: Credentials!.SecretAccessKey,
    AWS_SESSION_TOKEN: Credentials!.SessionToken,
  };
}

/**
 * Returns the text of a script attached to the runbook.
 * @throws StepFailure for archives, and if the attachment is missing
 */
async function attachedScript({ run }: StepContext, name: string): Promise<string> {
  const { owner, scope } = run.automations;
  const { documentName, documentVersion } = run.record;
  if (!name.endsWith('.py'))
    throw new StepFailure(`The attachment ${name} is not supported here`, 'Invocation', 'UnsupportedScript');
  const { version } = resolveDocument(owner, documentName, documentVersion);
  const attachment = version.attachments.find((one) => one.name === name);
  if (!attachment) throw new StepFailure(`There is no attachment ${name}`, 'Invocation', 'UnsupportedScript');
  const pieces: Uint8Array[] = [];
  for await (const piece of scope.bodies.read(attachment.body)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

async function start(
  step: StepContext,
  scope: StateScope,
  chunks: Buffer[],
  errors: Buffer[],
): Promise<ContainerInstance> {
  const { Runtime, Handler, Script, Attachment, InputPayload = {} } = step.inputs;
  const runtime = textOf(Runtime!);
  if (!/^python3/i.test(runtime))
    throw new StepFailure(`The runtime ${runtime} is not supported here`, 'Invocation', 'UnsupportedRuntime');
  const script = Script === undefined ? await attachedScript(step, textOf(Attachment!)) : textOf(Script);
  const { record } = step.run;
  const context = { global: {}, automation: { EXECUTION_ID: record.id }, function_name: textOf(Handler ?? '') };
  const containers = await scope.service.containers.of('ssm', { processes: true });
  const environment = await environmentOf(step, containers);
  return containers.start({
    service: 'ssm',
    name: 'automation-script',
    image: 'public.ecr.aws/docker/library/python:3.11-slim',
    entrypoint: ['python3', '-c', DRIVER],
    environment: {
      ...environment,
      EMU_SCRIPT: script,
      EMU_HANDLER: textOf(Handler ?? 'script_handler'),
      EMU_EVENTS: JSON.stringify(InputPayload),
      EMU_CONTEXT: JSON.stringify(context),
    },
    onOutput: (chunk, stream) => (stream === 'stdout' ? chunks : errors).push(Buffer.from(chunk)),
  });
}

/**
 * Writes a script's output to the log group configured for the account.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-action-logging.html
 */
async function writeLog({ run }: StepContext, text: string): Promise<void> {
  const { owner, scope } = run.automations;
  const group = owner.scriptLogGroup;
  if (group === undefined || text === '') return;
  const { accountId, region } = scope;
  const timestamp = Math.floor(scope.clock.now());
  const lines = text.replace(/\n$/, '').split('\n');
  const place = { accountId, region, group, stream: run.id };
  await (await scope.service.capability(logWriter))?.write(
    place,
    lines.map((message) => ({ timestamp, message })),
  );
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-action-executeScript.html */
export const executeScript: Action = {
  timeout: SCRIPT_TIMEOUT,
  // Braces may belong to the script itself.
  async run(step) {
    const chunks: Buffer[] = [];
    const errors: Buffer[] = [];
    const { scope } = step.run.automations;
    let instance: ContainerInstance;
    try {
      instance = await start(step, scope, chunks, errors);
    } catch (error) {
      if (error instanceof StepFailure) throw error;
      throw new StepFailure(`The script could not be run: ${(error as Error).message}`, 'Invocation', 'Unavailable');
    }
    const exit = await waitFor<{ code: number | undefined }>(step.signal, (resolve) => {
      void instance.exited.then(resolve);
      return () => void instance.stop({ grace: 0 });
    });
    await writeLog(
      step,
      Buffer.concat([...chunks, ...errors])
        .toString()
        .split(MARK)[0]!,
    );
    const [log = '', result] = Buffer.concat(chunks).toString().split(MARK) as [string, string?];
    if (exit.code !== 0 || result === undefined)
      throw new StepFailure(
        Buffer.concat(errors).toString().trim() || `The script ended with ${exit.code ?? 'a signal'}`,
        'Verification',
        'ScriptFailed',
      );
    const Payload = jsonOrText(result) as Json;
    const payload = { Payload, ...(isObject(Payload) ? Payload : {}), ExecutionLog: log };
    return { outputs: { ExecutionLog: log }, payload };
  },
};

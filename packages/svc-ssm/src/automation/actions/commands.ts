import { textOf } from '@emu/wire';
import type { Json } from '../../documents/content.ts';
import { StepFailure } from '../failures.ts';
import { compact } from '../values.ts';
import { settled } from '../waiting.ts';
import { callApi } from './api.ts';
import { parametersOf } from './functions.ts';
import type { Action } from './types.ts';

/** Default timeout of a command, in seconds. */
const COMMAND_TIMEOUT = 3600;

/** @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-action-runcommand.html */
export const runCommand: Action = {
  timeout: COMMAND_TIMEOUT,
  async run(step) {
    const { commands } = step.run.automations.owner;
    if (step.progress.command === undefined) {
      const { Parameters, OutputS3BucketName, ...inputs } = step.inputs;
      const { Command } = await callApi(step, 'ssm', 'SendCommand', {
        ...inputs,
        ...compact({ OutputS3BucketName: OutputS3BucketName === '' ? undefined : OutputS3BucketName }),
        ...(Parameters !== undefined && { Parameters: parametersOf(Parameters) }),
      });
      step.save({ command: (Command as { CommandId: string }).CommandId });
    }
    const id = textOf(step.progress.command!);
    try {
      await settled(commands.ended(id), step.signal);
    } catch (error) {
      if (!step.run.suspended) commands.cancel(id, []);
      throw error;
    }
    const { status, statusDetails, invocations } = commands.get(id)!;
    const plugins = invocations.flatMap((invocation) => invocation.plugins);
    const Output = plugins.map(({ stdout }) => stdout).join('\n');
    const ResponseCode = plugins.find(({ responseCode }) => responseCode !== 0)?.responseCode ?? 0;
    const outputs: Record<string, Json> = { CommandId: id, Status: status, ResponseCode, Output };
    if (status !== 'Success')
      throw new StepFailure(
        `Command ${id} has ended with the status ${statusDetails}. ${plugins.map(({ stderr }) => stderr).join('\n')}`.trim(),
        'Verification',
        statusDetails,
      );
    return { outputs, payload: outputs };
  },
};

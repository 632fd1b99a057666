import { asService, type InterruptedWork, interruptedRecords, servicePrincipal } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { invalidRequest, secretsmanagerError } from './errors.ts';
import { CURRENT, PENDING, type RotationRecord, type RunningRotation } from './records.ts';
import { replicate } from './replication.ts';
import { nextWindow } from './rotation-rules.ts';
import type { Secret, SecretsState } from './state.ts';
import { fingerprintOf, open, seal } from './values.ts';

/** Steps of a rotation in order, for each of which the function is called. */
const STEPS = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;
type Step = (typeof STEPS)[number];

/** A requested rotation. */
type Rotation = Omit<RunningRotation, 'test'>;

/**
 * Calls the rotation function for a step.
 * @throws Error with the failure of the function
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html
 */
async function runStep(state: SecretsState, secret: Secret, rotation: Rotation, Step: Step): Promise<void> {
  const event = { Step, SecretId: secret.arn, ClientRequestToken: rotation.versionId, RotationToken: state.ids.uuid() };
  const answer = await state.call(
    'lambda',
    'Invoke',
    { FunctionName: secret.rotation!.lambdaArn!, Payload: Buffer.from(JSON.stringify(event)) },
    {
      principal: servicePrincipal('secretsmanager', state.accountId),
      authorize: { sourceArn: secret.arn, sourceAccount: state.accountId },
      cause: rotation.cause,
    },
  );
  if (answer.FunctionError !== undefined)
    throw new Error(`the rotation function failed in ${Step}: ${Buffer.from(answer.Payload ?? []).toString('utf8')}`);
}

/**
 * Checks that a rotation function exists and may be invoked.
 * @param cause id of the request
 * @returns AWS's error if it cannot be invoked
 * @throws AwsError `NotImplemented` if Lambda is not mounted
 */
export async function refusedFunction(
  state: SecretsState,
  secret: Secret,
  lambdaArn: string,
  cause: string,
): Promise<AwsError | undefined> {
  try {
    await state.call(
      'lambda',
      'Invoke',
      { FunctionName: lambdaArn, InvocationType: 'DryRun' },
      { ...asService('secretsmanager', state.accountId, secret.arn), cause },
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof AwsError) || error.code === 'NotImplemented') throw error;
    return secretsmanagerError(
      'AccessDeniedException',
      'Secrets Manager cannot invoke the specified Lambda function. Ensure that the function policy grants access to the principal secretsmanager.amazonaws.com.',
    );
  }
}

/** Adds the pending version of a rotation and marks the rotation as in progress. */
function announce(state: SecretsState, secret: Secret, running: RunningRotation): void {
  const { versionId } = running;
  const { name, kmsKeyId } = secret;
  if (!state.version(name, versionId))
    state.putVersion({ secret: name, id: versionId, createdAt: state.clock.now(), ...(kmsKeyId && { kmsKeyId }) });
  state.update(name, (draft) => {
    draft.stages[PENDING] = versionId;
    if (!draft.rotation) return;
    draft.rotation.pendingId = versionId;
    draft.rotation.running = running;
  });
}

/**
 * Starts a rotation, which continues step by step after this function returns.
 * @throws AwsError `InvalidRequestException` while another rotation is in progress
 */
export function beginRotation(state: SecretsState, secret: Secret, rotation: Rotation): void {
  const { versionId } = rotation;
  const pending = secret.stages[PENDING];
  if (state.rotating.has(secret.name) || (pending !== undefined && pending !== versionId && !hasNoRotation(secret)))
    throw invalidRequest("A previous rotation isn't complete. That rotation will be reattempted.");
  announce(state, secret, { ...rotation, test: false });
  track(state, secret.name, runRotation(state, secret.name, rotation));
}

/** Whether no rotation is in progress: the label of a pending version is on the current one. */
const hasNoRotation = ({ stages, rotation }: Secret): boolean =>
  stages[PENDING] === stages[CURRENT] || rotation?.pendingId === undefined;

function track(state: SecretsState, name: string, running: Promise<void>): void {
  const done = running.finally(() => {
    if (state.rotating.get(name) !== done) return;
    state.rotating.delete(name);
    // After the state has ended, the next state continues the rotation.
    if (!state.closed && state.find(name)?.rotation?.running)
      state.update(name, (draft) => {
        delete draft.rotation!.running;
      });
  });
  state.rotating.set(name, done);
}

/**
 * Returns rotations that a restart interrupted, which continue from their first step. Functions detect finished steps,
 * as after any failure.
 */
export function interruptedRotations(state: SecretsState): InterruptedWork[] {
  const secrets = {
    entries: () => state.secrets.entries(),
    get: (name: string) => state.find(name),
  };
  return interruptedRecords(secrets, {
    name: ({ name }) => `rotation of secret ${name}`,
    idOf: ({ arn }) => arn,
    isLeft: ({ name, rotation }) => rotation?.running !== undefined && !state.rotating.has(name),
    resume: (secret) => {
      const { name } = secret;
      const running = secret.rotation!.running!;
      track(state, name, running.test ? runTest(state, secret, running) : runRotation(state, name, running));
      return state.rotating.get(name);
    },
    // As after a failure of the function, the next window retries it.
    fail: ({ name }) =>
      void state.update(name, (draft) => {
        delete draft.rotation!.running;
      }),
  });
}

/** Runs the four steps. A failure ends the rotation, which is retried in the next window. */
async function runRotation(state: SecretsState, name: string, rotation: Rotation): Promise<void> {
  try {
    // The function may have finished before a restart.
    const steps = state.find(name)?.stages[CURRENT] === rotation.versionId ? [] : STEPS;
    for (const step of steps) {
      const secret = state.find(name);
      if (!secret?.rotation || secret.deletedAt !== undefined || state.closed) return;
      await runStep(state, secret, rotation, step);
    }
    if (!state.closed) await finish(state, name, rotation.versionId);
  } catch (error) {
    if (!state.closed) state.log.warn(`the rotation of the secret ${name} failed`, { error });
  }
}

/** Records a rotation after the function made the pending version current. */
async function finish(state: SecretsState, name: string, versionId: string): Promise<void> {
  const secret = state.find(name);
  if (secret?.stages[CURRENT] !== versionId) {
    state.log.warn(`the rotation of the secret ${name} ended without a new current version`);
    return;
  }
  const rotated = state.update(name, (draft) => {
    if (draft.stages[PENDING] === versionId) delete draft.stages[PENDING];
    draft.rotatedAt = state.clock.now();
    draft.changedAt = draft.rotatedAt;
    if (draft.rotation) delete draft.rotation.pendingId;
  });
  await replicate(state, rotated);
}

/** Calls the function's test step with a temporary version, for a rotation that is configured but not started. */
export function testRotation(state: SecretsState, secret: Secret, rotation: Rotation): void {
  announce(state, secret, { ...rotation, test: true });
  track(state, secret.name, runTest(state, secret, rotation));
}

/** Copies the current value into a pending version, for the test step. */
async function fillWithCurrent(state: SecretsState, secret: Secret, versionId: string): Promise<void> {
  const { name, arn: SecretARN, kmsKeyId, stages } = secret;
  const current = stages[CURRENT] === undefined ? undefined : state.version(name, stages[CURRENT]);
  // A restart may have happened after the copy.
  if (current?.value === undefined || state.version(name, versionId)?.value !== undefined) return;
  const value = await open(state, { SecretARN, SecretVersionId: current.id }, current.value);
  const sealed = await seal(state, kmsKeyId, { SecretARN, SecretVersionId: versionId }, value);
  if (state.version(name, versionId))
    state.updateVersion(name, versionId, (draft) => {
      draft.value = sealed;
      draft.fingerprint = fingerprintOf(value);
    });
}

async function runTest(state: SecretsState, secret: Secret, rotation: Rotation): Promise<void> {
  const { name } = secret;
  const { versionId } = rotation;
  try {
    await fillWithCurrent(state, secret, versionId);
    await runStep(state, secret, rotation, 'testSecret');
  } catch (error) {
    if (!state.closed) state.log.warn(`the test of the rotation of the secret ${name} failed`, { error });
  }
  const now = state.find(name);
  if (state.closed || now?.stages[PENDING] !== versionId) return;
  state.removeVersion(name, versionId);
  state.update(name, (draft) => {
    delete draft.stages[PENDING];
    if (draft.rotation) delete draft.rotation.pendingId;
  });
}

/** Returns the rotation with the times of its next window. */
export function scheduled(rotation: RotationRecord, after: number): RotationRecord {
  const { nextAt: _next, windowEndsAt: _end, ...rest } = rotation;
  return { ...rest, ...nextWindow(rotation, after) };
}

/** Rotates a secret that is due and schedules the next rotation. Resolves when the rotation has ended. */
export async function rotateDue(state: SecretsState, secret: Secret): Promise<boolean> {
  const { name, rotation } = secret;
  if (!rotation?.enabled || rotation.nextAt === undefined || secret.deletedAt !== undefined) return false;
  const now = state.clock.now();
  if (rotation.nextAt > now) return false;
  const next = state.update(name, (draft) => {
    draft.rotation = scheduled(draft.rotation!, now);
  });
  // An unfinished rotation is resumed with its pending version.
  const unfinished = hasNoRotation(next) ? undefined : next.stages[PENDING];
  if (state.rotating.has(name)) return false;
  beginRotation(state, next, { versionId: unfinished ?? state.ids.uuid(), cause: state.ids.uuid() });
  await state.rotating.get(name);
  return true;
}

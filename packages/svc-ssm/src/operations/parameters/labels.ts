import type { InputOf, OutputOf } from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { ssmError } from '../../errors.ts';
import { parameterAt, requireVersion } from '../../lookup.ts';
import { currentVersion } from '../../parameters/table.ts';

/** Maximum number of labels of a version. */
const MAX_LABELS = 10;
/** @see https://docs.aws.amazon.com/systems-manager/latest/userguide/sysman-paramstore-labels.html */
const LABEL = /^(?!\d|aws|ssm)[a-zA-Z0-9_.-]{1,100}$/i;

/**
 * Labels a version. A label belongs to one version and is moved from its previous one.
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_LabelParameterVersion.html
 */
export function LabelParameterVersion(
  input: InputOf<'LabelParameterVersion'>,
  ctx: SsmContext,
): OutputOf<'LabelParameterVersion'> {
  const { state, parameter } = parameterAt(input.Name, ctx);
  const { version, labels } = requireVersion(parameter, input.ParameterVersion ?? currentVersion(parameter).version);
  const InvalidLabels = input.Labels.filter((label) => !LABEL.test(label));
  if (InvalidLabels.length > 0) return { InvalidLabels, ParameterVersion: version };
  const wanted = new Set([...labels, ...input.Labels]);
  if (wanted.size > MAX_LABELS)
    throw ssmError(
      'ParameterVersionLabelLimitExceeded',
      `A parameter version can have maximum ${MAX_LABELS} labels.Move one or more labels to another version and try again.`,
    );
  state.parameters.update(parameter.name, (draft) => {
    for (const one of draft.versions)
      one.labels = one.version === version ? [...wanted] : one.labels.filter((label) => !wanted.has(label));
  });
  const { type } = currentVersion(parameter);
  state.announceParameter(
    'LabelParameterVersion',
    parameter.name,
    { type, label: input.Labels.join(',') },
    ctx.requestId,
  );
  return { InvalidLabels, ParameterVersion: version };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_UnlabelParameterVersion.html */
export function UnlabelParameterVersion(
  input: InputOf<'UnlabelParameterVersion'>,
  ctx: SsmContext,
): OutputOf<'UnlabelParameterVersion'> {
  const { state, parameter } = parameterAt(input.Name, ctx);
  const { version, labels } = requireVersion(parameter, input.ParameterVersion);
  const RemovedLabels = input.Labels.filter((label) => labels.includes(label));
  const InvalidLabels = input.Labels.filter((label) => !labels.includes(label));
  state.parameters.update(parameter.name, (draft) => {
    const one = draft.versions.find((candidate) => candidate.version === version)!;
    one.labels = one.labels.filter((label) => !RemovedLabels.includes(label));
  });
  return { RemovedLabels, InvalidLabels };
}

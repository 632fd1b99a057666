import type { OptionSchema } from '@emu/core/options';
import * as v from 'valibot';

/** A toleration of a Kubernetes Pod, as in the PodSpec. */
export interface Toleration {
  key?: string | undefined;
  operator?: 'Exists' | 'Equal' | undefined;
  value?: string | undefined;
  effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute' | undefined;
  tolerationSeconds?: number | undefined;
}

const TOLERATIONS = 'a JSON array of Kubernetes tolerations';

/** Parser of a JSON array of toleration objects, as in Kubernetes' PodSpec. */
export const tolerations: OptionSchema<readonly Toleration[]> = v.pipe(
  v.string(),
  v.parseJson(undefined, TOLERATIONS),
  v.array(
    v.strictObject(
      {
        key: v.optional(v.string(TOLERATIONS)),
        operator: v.optional(v.picklist(['Exists', 'Equal'], `${TOLERATIONS} (operator is Exists or Equal)`)),
        value: v.optional(v.string(TOLERATIONS)),
        effect: v.optional(
          v.picklist(
            ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
            `${TOLERATIONS} (effect is NoSchedule, PreferNoSchedule or NoExecute)`,
          ),
        ),
        tolerationSeconds: v.optional(v.number(TOLERATIONS)),
      },
      `${TOLERATIONS} (members: key, operator, value, effect, tolerationSeconds)`,
    ),
    TOLERATIONS,
  ),
);

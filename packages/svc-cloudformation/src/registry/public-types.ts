import type { RegistryType } from '@emu/service-types/cloudformation';

/** A public extension, which must be activated before use. */
export interface PublicType {
  readonly name: string;
  readonly kind: RegistryType;
  readonly publisherId: string;
  readonly version: string;
  readonly description: string;
  /** JSON of the template fragment and the schema, for a module. */
  readonly fragment?: string;
  readonly schema?: string;
}

/** Publisher of AWS's own hooks. */
export const HOOKS_PUBLISHER = 'aws-hooks';

/** The Lambda Hook, which invokes a function. */
export const LAMBDA_HOOK = 'AWS::Hooks::LambdaHook';

/**
 * Public extensions built into emu: AWS's own hooks.
 * @see https://docs.aws.amazon.com/cloudformation-cli/latest/hooks-userguide/lambda-hooks.html
 */
export const PUBLIC_TYPES: readonly PublicType[] = [
  {
    name: LAMBDA_HOOK,
    kind: 'HOOK',
    publisherId: HOOKS_PUBLISHER,
    version: '1.0.0',
    description: 'Evaluates resources by a Lambda function before they are provisioned.',
  },
];

import { defineCapability } from '../base/capability.ts';

/** AWS's public resource types, whether a mounted service provides them or not. */
export interface PublicTypes {
  /** Whether AWS has a public type of a name, e.g. `AWS::EC2::VPC`. */
  has(typeName: string): Promise<boolean>;
}

/** AWS's public resource types; provided by CloudFormation. */
export const publicTypes = defineCapability<PublicTypes>('public resource types');

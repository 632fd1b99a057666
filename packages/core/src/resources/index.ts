export { type ArnFormat, type ArnVariables, arnFormat } from './arn-format.ts';
export { type NamedResource, namedResource, permissionOn } from './permission.ts';
export * from './resource-type.ts';
export * from './tag-calls.ts';
export * from './tagging.ts';

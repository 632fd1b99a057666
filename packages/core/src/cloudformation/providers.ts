export { type KeyValueTag, tagList, tagMap } from '../resources/tag-lists.ts';
export * from './building.ts';
export * from './define.ts';

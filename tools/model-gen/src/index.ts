export { type BotocoreService, fromBotocore, protocolOf } from './botocore.ts';
export { mergePatch } from './merge-patch.ts';
export { type OwnPaginators, type Paginator, paginationOf, pagingOperations } from './pagination.ts';
export { selectOperations } from './select.ts';
export { typesIndexOf, typesOf } from './types.ts';

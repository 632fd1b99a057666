import type { AnyResourceProvider } from '@emu/core';
import { account } from './account.ts';
import { deployment } from './deployment.ts';
import { method } from './method.ts';
import { resource } from './resource.ts';
import { restApi } from './rest-api.ts';
import { stage } from './stage.ts';

/** Providers of API Gateway's resource types of REST APIs. */
export const providers: readonly AnyResourceProvider[] = [account, deployment, method, resource, restApi, stage];

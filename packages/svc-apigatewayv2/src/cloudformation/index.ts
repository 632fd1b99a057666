import type { AnyResourceProvider } from '@emu/core';
import { api } from './api.ts';
import { authorizer, deployment, integration, route } from './parts.ts';
import { stage } from './stage.ts';

/** Providers of API Gateway's resource types of HTTP and WebSocket APIs. */
export const providers: readonly AnyResourceProvider[] = [api, authorizer, deployment, integration, route, stage];

import { serve } from '@emu/gateway/testing/server';
import { SERVICES } from '../../src/services.ts';

await serve(SERVICES);

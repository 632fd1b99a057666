import { scheduler } from '../../src/scenarios/scheduler.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(scheduler);

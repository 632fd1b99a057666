import { logs } from '../../src/scenarios/logs.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(logs);

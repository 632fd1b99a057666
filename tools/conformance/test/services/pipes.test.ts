import { pipes } from '../../src/scenarios/pipes.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(pipes);

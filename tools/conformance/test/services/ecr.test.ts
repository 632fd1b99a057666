import { ecr } from '../../src/scenarios/ecr.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(ecr);

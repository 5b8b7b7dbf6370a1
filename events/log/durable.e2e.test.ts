import { testKills } from './test-kills.ts'

testKills(2)

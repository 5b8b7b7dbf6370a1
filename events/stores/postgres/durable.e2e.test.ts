import { testKills } from '../../testing/kills.ts'

testKills(2)

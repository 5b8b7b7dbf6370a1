import { chatsProjection } from './chats.ts'
import { leadsProjection } from './leads.ts'
import { overviewProjection } from './overview.ts'
import type { Projection } from './projection.ts'

/** Every view, in the version that this code keeps and reads. */
export const PROJECTIONS: readonly Projection[] = [leadsProjection, chatsProjection, overviewProjection]

import type { Sent } from '../base/word.ts'
import type { serverFrame } from './server-frames.ts'

/** The frames that this version sends over the socket. */
export type ServerFrame = Sent<typeof serverFrame>

type FrameOf<Type extends ServerFrame['type']> = Extract<ServerFrame, { type: Type }>

/** The newest open sessions, as a console gets them when it joins. */
export type ListedSessions = Omit<FrameOf<'active_sessions'>, 'type'>

/** A staff member who views a session. */
export type Viewer = FrameOf<'presence'>['staff'][number]

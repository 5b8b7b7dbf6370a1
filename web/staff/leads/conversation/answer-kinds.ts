import type { TimelineEntry } from '../../../../events/lead/person/person-wire.ts'

const ANSWERS: readonly string[] = ['answer_email', 'whatsapp', 'call', 'chat_answer'] satisfies TimelineEntry['kind'][]

export const isAnswer = ({ kind }: TimelineEntry): boolean => ANSWERS.includes(kind)

/** What staff call the visitor of a chat, also one without a name. */
export const visitorNameOf = (visitorName: string | null | undefined): string => visitorName || 'Anonymous'

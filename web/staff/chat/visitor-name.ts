/** The visitor's name as staff see it, also if they gave none. */
export const visitorNameOf = (visitorName: string | null | undefined): string => visitorName || 'Anonymous'

/** Finds the leads that were merged with a lead, itself among them: the one that stays first. */
export const familiesOf = <Lead extends { id: string; mergedInto?: string | null }>(leads: readonly Lead[]) => {
  const parents = new Map(leads.map(({ id, mergedInto }) => [id, mergedInto]))
  const stayingOf = (id: string): string => {
    const parent = parents.get(id)
    return parent ? stayingOf(parent) : id
  }
  const families = Map.groupBy(leads, ({ id }) => stayingOf(id))
  return (id: string): Lead[] =>
    (families.get(stayingOf(id)) ?? []).toSorted(
      (a, b) => Number(Boolean(a.mergedInto)) - Number(Boolean(b.mergedInto)),
    )
}

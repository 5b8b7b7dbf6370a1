import type { ReactNode } from 'react'
import { colour, panel, space } from '../../ui/theme.ts'
import { type Artefact, ServiceArtefact } from './service-artefacts.tsx'

/** A service with a drawing of its result, its name and a sentence. `level` is that of its heading. */
export const ArtefactCard = (props: { level: 'h2' | 'h3'; name: string; text: ReactNode; artefact: Artefact }) => {
  const { level: Heading, name, text, artefact } = props
  return (
    <li
      css={{
        overflow: 'hidden',
        ...panel,
      }}
    >
      <ServiceArtefact artefact={artefact} />
      <div css={{ padding: space.inset }}>
        <Heading css={{ fontSize: '1.375rem' }}>{name}</Heading>
        <p css={{ marginTop: space.tight, color: colour.soft }}>{text}</p>
      </div>
    </li>
  )
}

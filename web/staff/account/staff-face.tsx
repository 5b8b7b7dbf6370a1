import { Face } from '../../ui/face.tsx'
import { useColleagues } from './colleagues.ts'

/** The photo or the initials of a colleague; renders nothing for a removed account. The name is next to it. */
export const StaffFace = ({ id, sizePx }: { id: string | null | undefined; sizePx: number }) => {
  const { data: colleagues } = useColleagues()
  const found = colleagues?.find((colleague) => colleague.id === id)
  return found ? <Face name={found.displayName} photo={found.photo} sizePx={sizePx} /> : null
}
